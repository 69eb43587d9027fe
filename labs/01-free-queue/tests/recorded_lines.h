#pragma once
// The lines of a recording of vLLM (reference/golden): their words, their lists of blocks, and how
// they are replayed.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "01-free-queue/tests/block_ids.h"

namespace kv::grader {

using Words = std::vector<std::string>;

inline Words split_at(const std::string& text, char between) {
  Words parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, between);) parts.push_back(part);
  if (text.ends_with(between)) parts.emplace_back();
  return parts;
}

inline Words words_of(const std::string& text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// "0.1.2"; "" and "-": none
inline Words numbers_in(const std::string& text) {
  return text == "-" ? Words() : split_at(text, '.');
}

inline Ids ids_in(const std::string& text) {
  Ids ids;
  for (const std::string& id : numbers_in(text)) ids.push_back(std::stoi(id));
  return ids;
}

// What a call returned. "none": nullopt
inline std::optional<Ids> given_in(const std::string& text) {
  return text == "none" ? std::nullopt : std::optional(ids_in(text));
}

struct Recording {
  const char* file;
  std::span<const char* const> lines;
};

// Stops at the first difference: what follows it would be one too. replay_of: makes a
// std::unique_ptr from the words of the first line of a trace; the lines of a trace without one are
// left out.
template <class ReplayOf>
void expect_recorded(const Recording& recording, ReplayOf replay_of) {
  decltype(replay_of(Words())) replay;
  std::size_t number = 0;
  for (const std::string line : recording.lines) {
    ++number;
    const Words words = words_of(line);
    if (words[0] == "trace") {
      replay.reset();
      replay = replay_of(words);
    } else if (replay) {
      replay->line(line);
    }
    if (!testing::Test::HasFailure()) continue;
    ADD_FAILURE() << "vLLM's call is line " << number << " of " << recording.file << ":\n  "
                  << line;
    return;
  }
}

}  // namespace kv::grader
