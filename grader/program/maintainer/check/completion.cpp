#include "common/errors.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/documents.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

// A shell, and a program in it that prints what is offered after "./lab $2 $3", a word or "word:
// what for" a line. $1 is the completion script. Why stubs in zsh: its own functions need a
// terminal.
struct Shell {
  std::string name, program;
};
const std::vector<Shell> kShells = {{"bash", R"(source "$1"
[ -n "$3" ] && COMP_WORDS=(./lab "$2" "$3") || COMP_WORDS=(./lab "$2")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_pagedlab
printf '%s\n' "${COMPREPLY[@]}")"},
                                    {"zsh", R"(compdef() { : }
_describe() { print -l -- $commands }
_arguments() { for offer; do print -l -- ${(s: :)${${offer#*:argument:\(}%\)}}; done }
source "$1"
words=(./lab "$2" ${3:+"$3"})
CURRENT=$#words
_pagedlab)"},
                                    {"fish", R"(source $argv[1]
complete -C (string join -- " " ./lab $argv[2..]))"}};

// What is offered, without what it is for.
std::set<std::string> offers(const fs::path& script,
                             const Shell& shell,
                             const std::string& command,
                             const std::string& word) {
  std::vector<std::string> argv = {shell.name, "-c", shell.program};
  if (shell.name != "fish") argv.push_back(shell.name);  // $0
  argv.insert(argv.end(), {script.string(), command});
  if (!word.empty()) argv.push_back(word);
  std::set<std::string> words;
  for (const std::string& line : split_lines(run({.argv = argv}).output))
    words.insert(line.substr(0, line.find_first_of("\t:[")));
  return words;
}

std::string missing(const std::set<std::string>& offered, const std::set<std::string>& expected) {
  std::string text;
  for (const std::string& word : expected)
    if (!offered.contains(word)) text += word + " is not offered\n";
  return text;
}

void check_shell(const Kit& kit, const Shell& shell, Checks& checks) {
  const std::string name = "./lab completion " + shell.name;
  if (!is_installed(shell.name)) return checks.unavailable(name, shell.name);
  const fs::path script = kit.build / ("completion." + shell.name);
  write_file(script, run_lab(kit, {"completion", shell.name}).output);

  const Outcome help = run({.argv = {(kit.root / "lab").string(), "help"}});
  const std::set<std::string> commands =
      matched_words(help.output, std::regex("^  \\./lab ([a-z-]+)"));
  std::set<std::string> offered;
  for (const std::string& command : commands)
    offered.merge(offers(script, shell, command.substr(0, 2), ""));
  const std::string lacking = missing(offered, commands);
  checks.expect(!commands.empty() && lacking.empty(), name + ": every command", lacking);

  for (const std::string command : {"grade", "test", "simt"}) {
    const std::string text = run_lab(kit, {command, "--help"}).output;
    const std::set<std::string> options =
        matched_words(text, std::regex("^  [-a-zA-Z,]*(--[a-z-]+)"));
    const std::string absent = missing(offers(script, shell, command, "--"), options);
    checks.expect(options.size() > 3 && absent.empty(), name + ": every option of " + command,
                  absent);
  }
  const std::string absent = missing(offers(script, shell, "grade", "0"), {"01", "06"});
  checks.expect(absent.empty(), name + ": the labs", absent);
  const std::string unknown = missing(offers(script, shell, "hint", "2."), {"2.1", "2.3"});
  checks.expect(unknown.empty(), name + ": the steps", unknown);
}

}  // namespace

void check_completion(const Kit& kit, Checks& checks) {
  for (const Shell& shell : kShells) check_shell(kit, shell, checks);
  const Outcome outcome = run_lab(kit, {"completion", "tcsh"});
  checks.expect(
      outcome.exit_code == kExitUsage && outcome.output.find("bash,zsh,fish") != std::string::npos,
      "completion of another shell is refused, and the shells are named", outcome.output);
}

}  // namespace kv::grader
