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
void relational(const Code& code, Edits& edits);
void arithmetic(const Code& code, Edits& edits);
void logical(const Code& code, Edits& edits);
void constant(const Code& code, Edits& edits);
void negation(const Code& code, Edits& edits);
void jump(const Code& code, Edits& edits);
void neighbor(const Code& code, Edits& edits);
void step(const Code& code, Edits& edits);

// A piece of code: piece_operators.cpp.
void condition(const Code& code, Edits& edits);
void statement(const Code& code, Edits& edits);
void block(const Code& code, Edits& edits);
void result(const Code& code, Edits& edits);

// The same things in another order: order_operators.cpp.
void arguments(const Code& code, Edits& edits);
void order(const Code& code, Edits& edits);

inline constexpr std::array<Operator, 14> kOperators = {{
    {"relational", relational},  // < for <=
    {"arithmetic", arithmetic},  // + for -
    {"logical", logical},        // && for ||
    {"constant", constant},      // 1 for 2, true for false
    {"negation", negation},      // ! dropped
    {"jump", jump},              // break for continue
    {"neighbor", neighbor},      // next for prev, tail for head, back for front
    {"step", step},              // ++ or -- skipped: a holder that is not counted
    {"condition", condition},    // negated, always, never
    {"statement", statement},    // deleted
    {"block", block},            // emptied
    {"result", result},          // return {}
    {"arguments", arguments},    // two beside each other swapped
    {"order", order},            // a loop run backward
}};

}  // namespace kv::grader::mutate
