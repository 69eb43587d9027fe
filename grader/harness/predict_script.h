#pragma once
// A predict question's script: one call a line, its arguments behind it. `#2` is the id 2.

#include <sstream>
#include <string>
#include <vector>

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

}  // namespace kv::grader
