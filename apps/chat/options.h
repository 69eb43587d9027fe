#pragma once
// What `./lab chat` hands over to this program.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "04-kv-cache-manager/given/rules.h"

namespace kv::chat {

struct Options {
  std::filesystem::path model;
  std::string system;  // what the model is told before a conversation; empty: nothing
  std::size_t block_size;
  std::size_t num_blocks;  // without the null block
  Rules rules;
  std::size_t num_threads;
  std::size_t max_tokens;  // the most that an answer can have
  double temperature;
  double top_p;
  std::uint64_t seed;
};

inline Options read_options(std::map<std::string, std::string> given) {
  return {.model = given["model"],
          .system = given["system"],
          .block_size = std::stoull(given["block-size"]),
          .num_blocks = std::stoull(given["blocks"]),
          .rules = rules_named(given["rules"]).value(),
          .num_threads = std::stoull(given["threads"]),
          .max_tokens = std::stoull(given["max-tokens"]),
          .temperature = std::stod(given["temperature"]),
          .top_p = std::stod(given["top-p"]),
          .seed = std::stoull(given["seed"])};
}

}  // namespace kv::chat
