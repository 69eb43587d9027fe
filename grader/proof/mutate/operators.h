#pragma once
// The mutation operators: each finds the places of a function body that it can change, and the text
// to put there.

#include <array>
#include <string>
#include <vector>

#include "grader/proof/mutate/function_body.h"

namespace kv::grader::mutate {

// Replaces source[begin, end).
struct Edit {
  std::size_t begin;
  std::size_t end;
  std::string replacement;
};

using Edits = std::vector<Edit>;

struct Operator {
  const char* name;  // as in reports and in the ledger
  void (*find)(const FunctionBody&, Edits&);
};

// On whole statements (statement_operators.cpp).
void guard(const FunctionBody& body, Edits& edits);
void early(const FunctionBody& body, Edits& edits);
void once(const FunctionBody& body, Edits& edits);
void lifetime(const FunctionBody& body, Edits& edits);
void refusal(const FunctionBody& body, Edits& edits);

// On 64-bit counts (width_operators.cpp).
void eight_bits(const FunctionBody& body, Edits& edits);
void sixteen_bits(const FunctionBody& body, Edits& edits);
void thirty_two_bits(const FunctionBody& body, Edits& edits);

extern const std::array<Operator, 22> kOperators;

}  // namespace kv::grader::mutate
