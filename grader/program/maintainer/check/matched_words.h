#pragma once

#include <regex>
#include <set>
#include <string>

#include "common/text.h"

namespace kv::grader {

// The words that stand where the pattern has its group, of all lines that have the pattern.
inline std::set<std::string> matched_words(const std::string& text, const std::regex& pattern) {
  std::set<std::string> words;
  for (const std::string& line : split_lines(text)) {
    std::smatch found;
    if (std::regex_search(line, found, pattern)) words.insert(found[1]);
  }
  return words;
}

}  // namespace kv::grader
