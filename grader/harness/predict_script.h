#pragma once
// A predict question's script: one call a line, then its arguments. `#2` is the id 2.

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kv/require.h"

namespace kv::grader {

struct ScriptLine {
  std::string text;  // all of it
  std::string call = {};
  std::vector<std::string> words = {};

  // The words from `first` on, as numbers.
  template <class Number>
  std::vector<Number> numbers(std::size_t first = 0) const {
    std::vector<Number> values;
    for (std::size_t i = first; i < words.size(); ++i) {
      values.push_back(static_cast<Number>(whole_number(words[i])));
    }
    return values;
  }

 private:
  static long long whole_number(const std::string& word) {
    const std::string digits = word.substr(word.starts_with('#') ? 1 : 0);
    std::size_t length = 0;
    const long long value = std::stoll(digits, &length);
    if (length != digits.size()) throw std::invalid_argument(word);
    return value;
  }
};

inline std::vector<ScriptLine> parse_script(const std::string& text) {
  std::vector<ScriptLine> script;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    ScriptLine parsed{.text = line};
    if (!(words >> parsed.call)) continue;
    for (std::string word; words >> word;) parsed.words.push_back(word);
    script.push_back(parsed);
  }
  return script;
}

// "free: 1 3 0"; nothing follows the colon if there are no items.
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
  if (!script.call(line)) throw std::runtime_error("there is no call \"" + line.call + "\"");
} catch (const ContractViolation&) {
  std::cout << line.call << ": refused\n";
}

// What is wrong with a line of a script that a student wrote.
inline std::string reason_of(const std::exception& error) {
  const bool is_sentence = dynamic_cast<const std::runtime_error*>(&error) != nullptr ||
                           dynamic_cast<const ContractViolation*>(&error) != nullptr;
  if (is_sentence) return error.what();
  return "a number or a name is missing, unknown or too large";
}

// The main of a program whose only argument is a script: prints the answer. Script is a class of
// the lab. The first line makes it, each other line is a call, and finish prints what is left. call
// gives false if it does not have that name. Prints a line `script: ...` and gives 2 if a line
// cannot be run.
template <class Script>
int run_script(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto lines = parse_script(argv[1]);
  std::size_t at = 0;
  try {
    Script script(lines.at(0));
    while (++at < lines.size()) make_call(script, lines[at]);
    script.finish();
  } catch (const std::exception& error) {
    std::cout << "\nscript: line " << at + 1 << ", \"" << lines[at].text
              << "\": " << reason_of(error) << '\n';
    return 2;
  }
  return 0;
}

}  // namespace kv::grader
