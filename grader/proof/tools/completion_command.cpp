// What a shell offers after `./lab`: a script for bash, zsh or fish, made from the commands and
// options that the command line has, so that no list of them can be forgotten.

#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

struct OfferedCommand : ListedCommand {
  std::vector<std::string> values = {};  // what its arguments can be; empty: files
};

// By the name of an argument, as "LAB": what may be written for it.
using ArgumentValues = std::map<std::string, std::vector<std::string>>;

OfferedCommand offered(const ListedCommand& command, const ArgumentValues& values) {
  OfferedCommand offer = {command};
  for (const std::string& argument : command.arguments)
    if (values.contains(argument)) offer.values = values.at(argument);
  return offer;
}

// How a single quote is written between single quotes.
constexpr const char *kQuoteInSh = "'\\''", *kQuoteInFish = "\\'";

std::string quoted(const std::string& text, const std::string& quote) {
  return "'" + replace_all(text, "'", quote) + "'";
}

// A purpose takes one line, and in zsh ":" and brackets end one.
std::string for_zsh(const std::string& purpose) {
  std::string text = purpose.substr(0, purpose.find('\n'));
  for (const std::string mark : {"[", "]", ":"}) text = replace_all(text, mark, "\\" + mark);
  return text;
}

constexpr const char* kBashBegin = R"(# Completion of ./lab for bash. For ~/.bashrc:
#   source <(/path/to/lab completion bash)
_pagedlab() {
  local words word=${COMP_WORDS[COMP_CWORD]}
  case ${COMP_WORDS[1]} in
)";
constexpr const char* kBashEnd = R"(  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _pagedlab lab
)";

std::string bash_script(const std::vector<OfferedCommand>& commands) {
  std::string text = kBashBegin;
  for (const OfferedCommand& command : commands) {
    std::vector<std::string> words = command.values;
    for (const ListedOption& option : command.options) words.push_back(option.name);
    text += "    " + command.name + ") words='" + join(words, " ") + "' ;;\n";
  }
  text += "    *) words= ;;\n  esac\n  [ \"$COMP_CWORD\" -ne 1 ] || words='";
  for (const OfferedCommand& command : commands) text += command.name + " ";
  return text + "'\n" + kBashEnd;
}

std::string zsh_arguments(const OfferedCommand& command) {
  std::string text;
  for (const ListedOption& option : command.options) {
    const std::string value = option.takes_value ? ":value:_files" : "";
    text += " " + quoted(option.name + "[" + for_zsh(option.purpose) + "]" + value, kQuoteInSh);
  }
  const std::string values =
      command.values.empty() ? "_files" : "(" + join(command.values, " ") + ")";
  return text + " '*:argument:" + values + "'";
}

constexpr const char* kZshBegin = R"(#compdef lab
# Completion of ./lab for zsh. For ~/.zshrc, after compinit:
#   source <(/path/to/lab completion zsh)
_pagedlab() {
  local -a commands=(
)";
constexpr const char* kZshMiddle = R"(  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
)";

std::string zsh_script(const std::vector<OfferedCommand>& commands) {
  std::string text = kZshBegin;
  for (const OfferedCommand& command : commands)
    text += "    " + quoted(command.name + ":" + for_zsh(command.purpose), kQuoteInSh) + "\n";
  text += kZshMiddle;
  for (const OfferedCommand& command : commands)
    text += "    " + command.name + ") _arguments" + zsh_arguments(command) + " ;;\n";
  return text + "  esac\n}\ncompdef _pagedlab lab\n";
}

std::string fish_script(const std::vector<OfferedCommand>& commands) {
  std::string text =
      "# Completion of ./lab for fish. For ~/.config/fish/config.fish:\n"
      "#   /path/to/lab completion fish | source\n";
  for (const OfferedCommand& command : commands) {
    const std::string name = command.name;
    text += "complete -c lab -f -n __fish_use_subcommand -a " + name + " -d " +
            quoted(command.purpose, kQuoteInFish) + "\n";
    const std::string begin = "complete -c lab -n '__fish_seen_subcommand_from " + name + "'";
    if (!command.values.empty()) text += begin + " -f -a '" + join(command.values, " ") + "'\n";
    for (const ListedOption& option : command.options) {
      text += begin + " -l " + option.name.substr(2) + (option.takes_value ? " -r" : "") + " -d " +
              quoted(option.purpose, kQuoteInFish) + "\n";
    }
  }
  return text;
}

std::vector<OfferedCommand> offered_commands(const std::vector<ListedCommand>& listed,
                                             const ArgumentValues& values) {
  std::vector<OfferedCommand> commands;
  for (const ListedCommand& command : listed) commands.push_back(offered(command, values));
  return commands;
}

// shell: "bash", "zsh" or "fish".
std::string completion_script(const std::string& shell,
                              const std::vector<OfferedCommand>& commands) {
  if (shell == "zsh") return zsh_script(commands);
  return shell == "fish" ? fish_script(commands) : bash_script(commands);
}

struct CompletionOptions {
  std::string shell;
};

const std::vector<std::string> kShells = {"bash", "zsh", "fish"};

void declare_completion(CommandForm& form, CompletionOptions& options) {
  form.argument("SHELL", options.shell, "bash, zsh or fish").required().one_of(kShells);
  form.footer("The first lines of the script say where it belongs.");
}

int print_completion(const Kit& kit, const CommandLine& line, const std::string& shell) {
  std::vector<ListedCommand> commands = line.list();
  // What ./lab does itself.
  commands.push_back({"doctor", purpose_of("doctor")});
  commands.push_back({"help", "the list of commands"});
  ArgumentValues values = {{"SHELL", kShells}};
  for (const LabSpec& lab : kit.manifest.labs) {
    values["LAB"].push_back(lab.id);
    for (const StepSpec& step : lab.steps) values["STEP"].push_back(step.number);
  }
  std::cout << completion_script(shell, offered_commands(commands, values));
  return kExitGraded;
}

}  // namespace

void add_completion_command(CommandLine& line) {
  line.add<CompletionOptions>("completion", declare_completion,
                              [&line](const Kit& kit, const CompletionOptions& options) {
                                return print_completion(kit, line, options.shell);
                              });
}

}  // namespace kv::grader
