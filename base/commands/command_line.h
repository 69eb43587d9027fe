#pragma once
// The commands of a program: their options, what they run, and the exit code.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/commands/commands.h"
#include "base/kit/kit.h"
#include "base/process/descendants.h"
#include "base/process/process.h"
#include "base/process/watcher.h"
#include "base/text/errors.h"
#include "base/text/machine.h"

namespace kv::grader {

// The option --labs of the commands that take submissions. Why one value each time: the next word
// is the folder of the submissions.
inline void declare_only_labs(CLI::App& app, std::vector<std::string>& labs) {
  app.add_option("--labs", labs, "only these labs, as 01-03 or 01,02; all if none is given")
      ->delimiter(',')
      ->allow_extra_args(false);
}

inline void declare_tree(CLI::App& app, std::string& tree) {
  app.add_option("--tree", tree, "starter (default), solution, or a folder with your files");
}

// The argument LAB of the commands that take labs; what is done with them, as "grade".
inline void declare_labs(CLI::App& app, std::vector<std::string>& labs, const std::string& what) {
  app.add_option("LAB", labs,
                 "labs to " + what + ": 1, 01, 01-free-queue or 1-3; all if none is given");
}

// Why by hand: CLI11 takes -1 for the largest number.
template <class Seed>
void declare_seed(CLI::App& app, Seed& seed, const std::string& purpose) {
  app.add_option("--seed", seed, purpose)->check([](const std::string& text) {
    return text.starts_with('-') ? "a seed is a number from 0" : "";
  });
}

// Why a file cannot be written there, as far as can be seen; empty: it can.
inline std::string why_not_written(const std::string& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return "cannot write " + file + ": it is a folder";
  fs::path place = file;
  const bool is_special = fs::exists(place, error) && !fs::is_regular_file(place, error);
  if (!is_special) place = fs::absolute(place).parent_path();
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const bool is_writable = is_special || fs::is_directory(place, error);
  if (is_writable && ::access(place.c_str(), W_OK) == 0) return "";
  return "cannot write " + file + ": " + place.string() + " cannot be written, or is no folder";
}

// An option with a file that is written after the work, and looked at before it.
inline void declare_output(CLI::App& app,
                           const std::string& name,
                           std::string& file,
                           const std::string& purpose) {
  app.add_option(name, file, purpose)->check(why_not_written);
}

// Asks at a terminal; only y or yes means yes. Throws UsageError with `refusal` where nobody can
// be asked.
inline bool confirm(const std::string& question, const std::string& refusal) {
  if (::isatty(STDIN_FILENO) == 0) throw UsageError(refusal);
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

class CommandLine {
 public:
  // What the program is called in messages, and how it finds its files.
  struct Program {
    std::string call =
        "./lab";  // before a command; empty: the program has one command, its own name
    std::string name = "lab";
    std::function<Kit(const char*)> find = [](const char* program) {
      return find_kit(program, load_manifest);
    };
  };

  CommandLine() : CommandLine(Program()) {}
  explicit CommandLine(Program program) : program_(std::move(program)) {
    app_.name(program_.call);
    keep_lines_of_footers(*app_.get_formatter());
  }

  // declare: gives the options to CLI11. execute: returns the exit code.
  template <class Options>
  void add(const std::string& name,
           const std::string& purpose,
           void (*declare)(CLI::App&, Options&),
           std::function<int(const Kit&, const Options&)> execute) {
    const auto options = std::make_shared<Options>();
    declare(*app_.add_subcommand(name, purpose), *options);
    commands_[name] = [options, execute](const Kit& kit) { return execute(kit, *options); };
  }
  void add(const std::string& name, const std::string& purpose, int (*execute)(const Kit&)) {
    app_.add_subcommand(name, purpose);
    commands_[name] = execute;
  }

  // The commands that were added, with their options.
  const CLI::App& tree() const { return app_; }

  int run(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    return run(static_cast<int>(pointers.size()), pointers.data());
  }

  int run(int argc, char** argv) {
    try {
      adjust_limits();
      if (!has_process_namespaces()) adopt_orphans();
      hide_memory();
      const Watcher watcher;
      app_.require_subcommand(1);
      refuse_unknown_command(argc, argv);
      app_.parse(argc, argv);
      const auto& execute = commands_.at(app_.get_subcommands().front()->get_name());
      const int exit_code = execute(program_.find(argv[0]));
      if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
      throw MachineFailed("the report cannot be printed; is the disk full?");
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // --help
      return say(std::string(error.what()) + "; run " + help_command(), kExitUsage);
    } catch (const std::exception&) {
      const Failure failure = current_failure();
      return say(failure.sentence, failure.exit_code);
    }
  }

 private:
  // From 2.5 on, CLI11 breaks the lines of a footer again, at other words.
  template <class Formatter>
  static void keep_lines_of_footers(Formatter& formatter) {
    if constexpr (requires { formatter.enable_footer_formatting(false); })
      formatter.enable_footer_formatting(false);
  }

  int say(const std::string& sentence, int exit_code) const {
    std::cerr << program_.name << ": " << printable(sentence) << '\n';
    return exit_code;
  }

  // Why not by CLI11: its message does not name the command.
  void refuse_unknown_command(int argc, char** argv) const {
    if (argc < 2 || argv[1][0] == '-' || commands_.contains(argv[1])) return;
    throw UsageError("there is no command \"" + std::string(argv[1]) + "\"; run " +
                     call_of("help"));
  }

  // The help of the command whose options are wrong, if one is given.
  std::string help_command() const {
    const std::vector<CLI::App*> given = app_.get_subcommands();
    return given.empty() ? call_of("help") : call_of(given.front()->get_name()) + " --help";
  }

  std::string call_of(const std::string& command) const {
    return program_.call.empty() ? command : program_.call + " " + command;
  }

  CLI::App app_{"PagedLab: build the paged KV cache that serves large language models"};
  std::map<std::string, std::function<int(const Kit&)>> commands_;
  Program program_;
};

}  // namespace kv::grader
