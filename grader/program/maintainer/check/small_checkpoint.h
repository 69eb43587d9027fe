#pragma once
// Checkpoints in Hugging Face's layout, for `./lab generate --model`: a Llama with two layers and a
// token for each byte.

#include <map>
#include <string>
#include <vector>

#include "grader/program/base/kit/json.h"
#include "grader/program/base/kit/kit.h"

namespace kv::grader {

class SmallCheckpoint {
 public:
  SmallCheckpoint();

  // To be changed before it is written. Shapes by name; the numbers of a tensor come from its name.
  Json config;
  std::map<std::string, std::vector<std::size_t>> shapes;
  std::string dtype = "F32";  // F32, F16, BF16, or another name, with numbers of 32 bits

  // config.json, model.safetensors and tokenizer.json.
  void write(const fs::path& folder) const;
};

}  // namespace kv::grader
