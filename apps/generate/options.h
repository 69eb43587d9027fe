#pragma once
// What `./lab generate` hands over to this program.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "04-kv-cache-manager/given/rules.h"

namespace kv::generate {

struct Options {
  std::filesystem::path model;
  std::vector<std::string> prompts;  // one for each answer
  std::size_t num_answers;           // to each prompt
  std::size_t block_size;
  std::size_t num_blocks;  // without the null block
  Rules rules;
  std::size_t num_threads;
  std::size_t num_drafts;  // most draft tokens of a request in a step; 0: none
  std::size_t max_tokens;
  double temperature;
  double top_p;
  std::uint64_t seed;
};

// Throws InputError for a file of prompts that cannot be read or has none.
Options read_options(std::map<std::string, std::string> given);

}  // namespace kv::generate
