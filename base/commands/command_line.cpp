#include "base/commands/command_line.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

#include "base/commands/command_table.h"
#include "base/process/descendants.h"
#include "base/process/process.h"
#include "base/process/watcher.h"
#include "base/text/errors.h"
#include "base/text/machine.h"
#include "base/text/text.h"

namespace kv::grader {

OptionForm& OptionForm::required() {
  option_.required();
  return *this;
}

OptionForm& OptionForm::between(std::size_t least, std::size_t most) {
  option_.check(CLI::Range(least, most));
  return *this;
}

OptionForm& OptionForm::positive() {
  option_.check(CLI::PositiveNumber);
  return *this;
}

OptionForm& OptionForm::one_of(const std::vector<std::string>& words) {
  option_.check(CLI::IsMember(words));
  return *this;
}

OptionForm& OptionForm::check(const std::function<std::string(const std::string&)>& problem_of) {
  option_.check(problem_of);
  return *this;
}

OptionForm& OptionForm::comma_separated() {
  option_.delimiter(',');
  return *this;
}

OptionForm& OptionForm::one_value_a_time() {
  option_.allow_extra_args(false);
  return *this;
}

OptionForm& OptionForm::joined_by_commas() {
  option_.join(',');
  return *this;
}

OptionForm& OptionForm::not_with(const OptionForm& other) {
  option_.excludes(&other.option_);
  return *this;
}

OptionForm CommandForm::argument(const std::string& name,
                                 Variable value,
                                 const std::string& purpose) {
  return option(name, value, purpose);
}

OptionForm CommandForm::option(const std::string& name,
                               Variable value,
                               const std::string& purpose) {
  return OptionForm(add(name, value, purpose));
}

OptionForm CommandForm::hidden(const std::string& name, Variable value) {
  CLI::Option& option = add(name, value, "");
  option.group("");
  return OptionForm(option);
}

OptionForm CommandForm::flag(const std::string& name, bool& is_given, const std::string& purpose) {
  CLI::Option& option = *command_.add_flag(name, is_given, purpose);
  if (purpose.empty()) option.group("");
  return OptionForm(option);
}

CLI::Option& CommandForm::add(const std::string& name, Variable value, const std::string& purpose) {
  const auto add_to = [&](auto variable) {
    return command_.add_option(name, variable.get(), purpose);
  };
  return *std::visit(add_to, value);
}

void CommandForm::rest(std::vector<std::string>& words) {
  command_.allow_extras();
  command_.callback([&command = command_, &words] { words = command.remaining(); });
}

void CommandForm::footer(const std::string& text) {
  command_.footer(text);
}

namespace {

// From 2.5 on, CLI11 breaks the lines of a footer again, at other words.
template <class Formatter>
void keep_lines_of_footers(Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); })
    formatter.enable_footer_formatting(false);
}

ListedCommand listed(const CLI::App& command) {
  ListedCommand found{.name = command.get_name(), .purpose = command.get_description()};
  for (const CLI::Option* option : command.get_options()) {
    const std::vector<std::string>& names = option->get_lnames();
    if (option->get_positional()) found.arguments.push_back(option->get_name());
    if (!names.empty() && !option->get_group().empty())
      found.options.push_back(
          {"--" + names.front(), option->get_description(), option->get_items_expected() > 0});
  }
  return found;
}

}  // namespace

std::string purpose_of(const std::string& command) {
  const std::string kBar = " | ";
  for (const std::string& line : split_lines(kCommandTable)) {
    const std::size_t call = line.find(kBar), purpose = line.rfind(kBar);
    if (call != purpose && line.find(kBar + command + " ") == call)
      return line.substr(purpose + kBar.size());
  }
  throw KitBroken("base/commands/command_table.h has no command " + command);
}

bool confirm(const std::string& question, const std::string& refusal) {
  if (::isatty(STDIN_FILENO) == 0) throw UsageError(refusal);
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

CommandLine::CommandLine(Program program)
    : app_(std::make_unique<CLI::App>(
          "PagedLab: build the paged KV cache that serves large language models")),
      program_(std::move(program)) {
  app_->name(program_.call);
  keep_lines_of_footers(*app_->get_formatter());
}

CommandLine::~CommandLine() = default;

CommandForm CommandLine::add(const std::string& name, std::function<int(const Kit&)> execute) {
  commands_[name] = std::move(execute);
  return CommandForm(*app_->add_subcommand(name, purpose_of(name)));
}

std::vector<ListedCommand> CommandLine::list() const {
  std::vector<ListedCommand> found;
  for (const CLI::App* command : std::as_const(*app_).get_subcommands(nullptr))
    found.push_back(listed(*command));
  return found;
}

int CommandLine::run(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return run(static_cast<int>(pointers.size()), pointers.data());
}

int CommandLine::run(int argc, char** argv) {
  try {
    adjust_limits();
    if (!has_process_namespaces()) adopt_orphans();
    hide_memory();
    const Watcher watcher;
    app_->require_subcommand(1);
    refuse_unknown_command(argc, argv);
    app_->parse(argc, argv);
    const auto& execute = commands_.at(app_->get_subcommands().front()->get_name());
    const int exit_code = execute(program_.find(argv[0]));
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    throw MachineFailed("the report cannot be printed; is the disk full?");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error);  // --help
    return say(std::string(error.what()) + "; run " + help_command(), kExitUsage);
  } catch (const std::exception&) {
    const Failure failure = current_failure();
    return say(failure.sentence, failure.exit_code);
  }
}

int CommandLine::say(const std::string& sentence, int exit_code) const {
  std::cerr << program_.name << ": " << printable(sentence) << '\n';
  return exit_code;
}

// Why not by CLI11: its message does not name the command.
void CommandLine::refuse_unknown_command(int argc, char** argv) const {
  if (argc < 2 || argv[1][0] == '-' || commands_.contains(argv[1])) return;
  throw UsageError("there is no command \"" + std::string(argv[1]) + "\"; run " + call_of("help"));
}

// The help of the command whose options are wrong, if one is given.
std::string CommandLine::help_command() const {
  const std::vector<CLI::App*> given = app_->get_subcommands();
  return given.empty() ? call_of("help") : call_of(given.front()->get_name()) + " --help";
}

std::string CommandLine::call_of(const std::string& command) const {
  return program_.call.empty() ? command : program_.call + " " + command;
}

}  // namespace kv::grader
