#pragma once
// The commands of a program: what each may be given, what it does, and its exit code.

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <map>
#include <memory>

#include "grader/program/base/errors.h"
#include "grader/program/kit/kit.h"
#include "grader/program/process/process.h"

namespace kv::grader {

class CommandLine {
 public:
  // declare: gives the options to CLI11. execute: returns the exit code.
  template <class Options>
  void add(const std::string& name,
           const std::string& purpose,
           void (*declare)(CLI::App&, Options&),
           int (*execute)(const Kit&, const Options&)) {
    const auto options = std::make_shared<Options>();
    declare(*app_.add_subcommand(name, purpose), *options);
    commands_[name] = [options, execute](const Kit& kit) { return execute(kit, *options); };
  }
  void add(const std::string& name, const std::string& purpose, int (*execute)(const Kit&)) {
    app_.add_subcommand(name, purpose);
    commands_[name] = execute;
  }

  int run(int argc, char** argv) {
    kill_children_on_interrupt();
    try {
      app_.require_subcommand(1);
      refuse_unknown_command(argc, argv);
      app_.parse(argc, argv);
      return commands_.at(app_.get_subcommands().front()->get_name())(find_kit(argv[0]));
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // --help
      std::cerr << "lab: " << error.what() << "; run " << help_command() << '\n';
      return kExitUsage;
    } catch (const UsageError& error) {
      std::cerr << "lab: " << error.what() << '\n';
      return kExitUsage;
    } catch (const KitBroken& error) {
      std::cerr << "lab: the kit itself is broken, this is not your fault: " << error.what()
                << '\n';
    } catch (const std::exception& error) {
      std::cerr << "lab: unexpected error: " << error.what() << '\n';
    }
    return kExitKitBroken;
  }

 private:
  // Why not by CLI11: its message does not name the command.
  void refuse_unknown_command(int argc, char** argv) const {
    if (argc < 2 || argv[1][0] == '-' || commands_.contains(argv[1])) return;
    throw UsageError("there is no command \"" + std::string(argv[1]) + "\"; run ./lab help");
  }

  // Of the command whose options are wrong, if one is given.
  std::string help_command() const {
    const std::vector<CLI::App*> given = app_.get_subcommands();
    return given.empty() ? "./lab help" : "./lab " + given.front()->get_name() + " --help";
  }

  CLI::App app_{"PagedLab: build the paged KV cache that serves large language models", "./lab"};
  std::map<std::string, std::function<int(const Kit&)>> commands_;
};

}  // namespace kv::grader
