#pragma once
// What `./lab generate` hands over to this program.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace kv::generate {

// The input cannot be used: one sentence, with what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::filesystem::path model;
  std::vector<std::string> prompts;
  std::size_t block_size;
  std::size_t num_blocks;  // without the null block
  std::size_t num_drafts;  // of a request in a step; 0: none
  std::size_t max_tokens;
  double temperature;
  double top_p;
  std::uint64_t seed;
};

// argv: pairs of a name and a value, as `block-size 16`. Numbers have been checked by ./lab.
// Throws InputError for a file of prompts that cannot be read or has none.
Options read_options(int argc, char** argv);

}  // namespace kv::generate
