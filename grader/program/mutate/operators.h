#pragma once
// The operators: each finds the places that it can change in a body, and how.

#include <array>
#include <string>
#include <vector>

#include "grader/program/mutate/code.h"

namespace kv::grader::mutate {

// Replaces source[begin, end).
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string replacement;
};

using Edits = std::vector<Edit>;

// Puts `replacement` in the place of these tokens, unless it stands there already.
void replace(const Code& code,
             std::size_t first,
             std::size_t last,
             const std::string& replacement,
             Edits& edits);

struct Operator {
  const char* name;  // as reports and the ledger call it
  void (*find)(const Code&, Edits&);
};

// One token for another: token_operators.cpp.
void relational(const Code& code, Edits& edits);  // < for <=
void arithmetic(const Code& code, Edits& edits);  // + for -
void logical(const Code& code, Edits& edits);     // && for ||
void constant(const Code& code, Edits& edits);    // 1 for 2, true for false
void negation(const Code& code, Edits& edits);    // ! dropped
void jump(const Code& code, Edits& edits);        // break for continue
void neighbor(const Code& code, Edits& edits);    // next for prev, tail for head, back for front
void step(const Code& code, Edits& edits);        // ++ or -- skipped: a holder not counted

// A piece of code: piece_operators.cpp.
void condition(const Code& code, Edits& edits);  // negated, always, never
void statement(const Code& code, Edits& edits);  // deleted
void block(const Code& code, Edits& edits);      // emptied
void result(const Code& code, Edits& edits);     // return {}

// The same things in another order: order_operators.cpp.
void arguments(const Code& code, Edits& edits);  // two neighbors swapped
void order(const Code& code, Edits& edits);      // a loop run backward

inline constexpr std::array<Operator, 14> kOperators = {{{"relational", relational},
                                                         {"arithmetic", arithmetic},
                                                         {"logical", logical},
                                                         {"constant", constant},
                                                         {"negation", negation},
                                                         {"jump", jump},
                                                         {"neighbor", neighbor},
                                                         {"step", step},
                                                         {"condition", condition},
                                                         {"statement", statement},
                                                         {"block", block},
                                                         {"result", result},
                                                         {"arguments", arguments},
                                                         {"order", order}}};

}  // namespace kv::grader::mutate
