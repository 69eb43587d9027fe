#pragma once
// The mutation operators: each finds the places of a function body that it can change, and the text
// to put there.

#include <array>
#include <string>
#include <vector>

#include "grader/program/mutate/function_body.h"

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

extern const std::array<Operator, 14> kOperators;

}  // namespace kv::grader::mutate
