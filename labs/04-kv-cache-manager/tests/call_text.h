#pragma once
// Calls of a manager as a person reads them, and as lines of a test.

#include <string>
#include <vector>

#include "03-block-hashing/tests/engine_fixture.h"
#include "04-kv-cache-manager/kv_cache_manager.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

// What allocate_slots is asked for besides the new tokens, by id.
struct Asked {
  Ids hits = {};
  std::size_t num_lookahead_tokens = 0;
  bool full_sequence_must_fit = false;
};

// ", hits {2}, lookahead {3}": the arguments of a sentence after {1}.
inline std::string text_of(const Asked& asked) {
  return std::string(asked.hits.empty() ? "" : ", hits {2}") +
         (asked.num_lookahead_tokens == 0 ? "" : ", lookahead {3}") +
         (asked.full_sequence_must_fit ? ", full_sequence_must_fit" : "");
}

// The line of a test that admits the request. Empty if it has images: no line says those.
inline std::string code_of(const Request& request) {
  if (!request.mm_features.empty()) return "";
  if (describe_extras(request).empty() && !request.skip_reading_prefix_cache)
    return "admit({0}, {1})";
  const auto text = [](const char* member, const std::string& value) {
    return value.empty() ? "" : std::string(", .") + member + " = \"" + value + "\"";
  };
  return "admit({.request_id = {0}, .block_size = " + std::to_string(request.block_size) +
         ", .token_ids = {1}" + text("lora_name", request.lora_name) +
         text("cache_salt", request.cache_salt) +
         (request.skip_reading_prefix_cache ? ", .skip_reading_prefix_cache = true})" : "})");
}

// ", {.hits = {2}}": the argument, if it says something.
inline std::string code_of(const Asked& asked) {
  std::vector<std::string> members;
  if (!asked.hits.empty()) members.emplace_back(".hits = {2}");
  if (asked.num_lookahead_tokens != 0) members.emplace_back(".num_lookahead_tokens = {3}");
  if (asked.full_sequence_must_fit) members.emplace_back(".full_sequence_must_fit = true");
  std::string code;
  for (const std::string& member : members) code += (code.empty() ? ", {" : ", ") + member;
  return code.empty() ? "" : code + "}";
}

// ", {{1, 2, 3}}": the expected copies, if there are any.
inline std::string code_of(const std::vector<BlockCopy>& copies) {
  std::string code;
  for (const BlockCopy& copy : copies) {
    code += (code.empty() ? ", {{" : ", {") + std::to_string(copy.source) + ", " +
            std::to_string(copy.destination) + ", " + std::to_string(copy.num_slots) + "}";
  }
  return code.empty() ? "" : code + "}";
}

inline void log_allocate(const std::string& code,
                         const std::string& name,
                         std::size_t num_new_tokens,
                         const Asked& asked) {
  log_step({"allocate_slots(request_id, num_new_tokens, hits, lookahead)",
            "allocate_slots({0}, {1}" + text_of(asked) + ")", code},
           name, num_new_tokens, Blocks{asked.hits}, asked.num_lookahead_tokens);
}

}  // namespace kv::grader
