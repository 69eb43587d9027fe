#pragma once
// What a shell offers after `./lab`: a script for bash, zsh or fish, made from the commands and
// options that CLI11 has, so that no list of them can be forgotten.

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace kv::grader {

// What can be written, and what it is for.
struct OfferedWord {
  std::string word, purpose;
  bool takes_value = false;
};

struct OfferedCommand {
  OfferedWord name;
  std::vector<OfferedWord> options;  // "--tree"
  std::vector<std::string> values;   // of its arguments; empty: files
};

// By the name of an argument, as "LAB": what may be written for it.
using ArgumentValues = std::map<std::string, std::vector<std::string>>;

// extra: commands that the tree does not have, as `help`.
std::vector<OfferedCommand> offered_commands(const CLI::App& tree,
                                             const std::vector<OfferedWord>& extra,
                                             const ArgumentValues& values);

// shell: "bash", "zsh" or "fish".
std::string completion_script(const std::string& shell,
                              const std::vector<OfferedCommand>& commands);

}  // namespace kv::grader
