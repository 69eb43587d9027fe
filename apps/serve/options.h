#pragma once
// What `./lab serve` hands over to this program.

#include <cstddef>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "04-kv-cache-manager/given/rules.h"

namespace kv::serve {

struct Options {
  std::filesystem::path model;
  std::string model_name;
  std::size_t block_size;
  std::size_t num_blocks;  // without the null block
  Rules rules;
  std::size_t num_threads;
  std::string host;
  int port;                                  // 0: any that is free
  std::vector<std::string> allowed_origins;  // origins whose pages may call, besides this machine's
  std::string api_key;                       // empty: none is asked for
  std::size_t max_open_requests;
  std::filesystem::path page;  // the file of the page at /
};

inline std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

inline Options read_options(std::map<std::string, std::string> given) {
  return {.model = given["model"],
          .model_name = given["model-name"],
          .block_size = std::stoull(given["block-size"]),
          .num_blocks = std::stoull(given["blocks"]),
          .rules = rules_named(given["rules"]).value(),
          .num_threads = std::stoull(given["threads"]),
          .host = given["host"],
          .port = std::stoi(given["port"]),
          .allowed_origins = split_at_commas(given["allow-origin"]),
          .api_key = given["api-key"],
          .max_open_requests = std::stoull(given["max-requests"]),
          .page = given["page"]};
}

}  // namespace kv::serve
