#pragma once
// From addresses in a program to lines of its source.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/text/text.h"

namespace kv::grader {

struct SourceLine {
  std::string function;  // "kv::Queue::remove(kv::Block&)"
  std::string file = {};
  int line = 0;
};

// "in remove, line 36 of FILE"; without a file "in remove"
std::string text_of(const SourceLine& line);

// "FILE:36:5" -> "FILE", "36", "5"
std::vector<std::string> split_at_colons(const std::string& place);

// For each address its line, then those into which it is inlined. Empty without addr2line.
std::map<std::uint64_t, std::vector<SourceLine>> source_lines(
    const fs::path& program, const std::vector<std::uint64_t>& addresses);

// "kv::Queue::take(int)::{lambda()#1}::operator()() const" -> "take"
std::string short_name(std::string function);

}  // namespace kv::grader
