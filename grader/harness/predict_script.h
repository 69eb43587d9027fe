#pragma once
// A predict question's script: one call a line, its arguments behind it. `#2` is the id 2.

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kv/require.h"

namespace kv::grader {

struct ScriptLine {
  std::string call;
  std::vector<std::string> words;

  // The words from `first` on, as numbers.
  template <class Number>
  std::vector<Number> numbers(std::size_t first = 0) const {
    std::vector<Number> values;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::size_t digits = words[i].starts_with('#') ? 1 : 0;
      values.push_back(static_cast<Number>(std::stoll(words[i].substr(digits))));
    }
    return values;
  }
};

inline std::vector<ScriptLine> parse_script(const std::string& text) {
  std::vector<ScriptLine> script;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    ScriptLine parsed;
    if (!(words >> parsed.call)) continue;
    for (std::string word; words >> word;) parsed.words.push_back(word);
    script.push_back(parsed);
  }
  return script;
}

// "free: 1 3 0", and nothing behind the colon when there is nothing.
template <class Items>
std::string answer_line(const std::string& name, const Items& items) {
  std::ostringstream line;
  line << name << ':';
  for (const auto& item : items) line << ' ' << item;
  line << '\n';
  return line.str();
}

template <class Script>
void make_call(Script& script, const ScriptLine& line) try {
  if (!script.call(line)) throw std::runtime_error("no call is named " + line.call);
} catch (const ContractViolation&) {
  std::cout << line.call << ": refused\n";
}

// The main of a program whose only argument is a script: prints the answer. Script is a class of
// the lab. The first line makes it, each other line is a call, and finish prints what is left. call
// gives false if it does not have that name.
template <class Script>
int run_script(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto lines = parse_script(argv[1]);
  Script script(lines.at(0));
  for (std::size_t i = 1; i < lines.size(); ++i) make_call(script, lines[i]);
  script.finish();
  return 0;
}

}  // namespace kv::grader
