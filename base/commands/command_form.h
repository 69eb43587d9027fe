#pragma once
// What may be written after the name of a command: its arguments, options and flags, and where
// their values go. Why not CLI11 itself: it takes seconds to compile, and through this header one
// source file of the program includes it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kv::grader {

// The variable that a value is written to. Its type says what the value has to be; a vector takes
// all values that are given.
template <class... Types>
using VariableOf = std::variant<std::reference_wrapper<Types>...>;
using Variable = VariableOf<std::string,
                            int,
                            unsigned,
                            std::size_t,
                            double,
                            std::optional<int>,
                            std::optional<std::uint64_t>,
                            std::vector<int>,
                            std::vector<std::string>>;

// An option or an argument of a command: what is asked of its value.
class OptionForm {
 public:
  explicit OptionForm(CLI::Option& option) : option_(option) {}

  OptionForm& required();
  OptionForm& between(std::size_t least, std::size_t most);
  OptionForm& positive();
  OptionForm& one_of(const std::vector<std::string>& words);
  // problem_of: what is wrong with a value, in words; empty: nothing.
  OptionForm& check(const std::function<std::string(const std::string&)>& problem_of);

  OptionForm& comma_separated();   // "01,02" is two values
  OptionForm& one_value_a_time();  // the next word is not another value
  OptionForm& joined_by_commas();  // given more than once, it is one text with commas

  OptionForm& not_with(const OptionForm& other);

 private:
  CLI::Option& option_;
};

class CommandForm {
 public:
  explicit CommandForm(CLI::App& command) : command_(command) {}

  // A word by its place, as "LAB".
  OptionForm argument(const std::string& name, Variable value, const std::string& purpose);
  // A word after another one: "--tree me".
  OptionForm option(const std::string& name, Variable value, const std::string& purpose);
  // An option that no help shows: other commands of the kit set it.
  OptionForm hidden(const std::string& name, Variable value);
  // A word that is there or not, as "--all". Without a purpose, no help shows it.
  OptionForm flag(const std::string& name, bool& is_given, const std::string& purpose);
  // All words that are none of these.
  void rest(std::vector<std::string>& words);
  // The end of the help.
  void footer(const std::string& text);

 private:
  CLI::Option& add(const std::string& name, Variable value, const std::string& purpose);

  CLI::App& command_;
};

}  // namespace kv::grader
