#pragma once
// Where two submissions have the same tokens, exactly.

#include <vector>

#include "grader/program/course/similar/lab_text.h"

namespace kv::grader::similar {

struct CommonPlace {
  std::size_t left;   // the first token
  std::size_t right;  // the first token
  std::size_t num_tokens;
  std::size_t num_counted;  // of them
};

// In the order of the left text. Each begins and ends with a token that counts, and is a part of at
// least kGramTokens equal ones in one file. No token is in two places. The time is that of reading
// both texts.
std::vector<CommonPlace> common_places(const LabText& left, const LabText& right);

}  // namespace kv::grader::similar
