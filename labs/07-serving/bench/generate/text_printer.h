#pragma once
// Prints what the requests say: the text of a single one while it comes, those of several each when
// it ends.

#include <string>
#include <vector>

#include "07-serving/given/schedule.h"
#include "07-serving/given/tokenizer.h"

namespace kv::generate {

class TextPrinter {
 public:
  TextPrinter(const Tokenizer& tokenizer,
              const std::vector<std::string>& prompts,
              std::optional<TokenId> eos_token_id);

  // The new tokens of a request.
  void print(const EngineCoreOutput& output);

 private:
  const Tokenizer& tokenizer_;
  std::optional<TokenId> eos_token_id_;
  std::vector<std::string> texts_;  // [request], what is not printed yet
};

}  // namespace kv::generate
