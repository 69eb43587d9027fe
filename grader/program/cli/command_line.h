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
  // declare: gives the options to CLI11. run: the exit code.
  template <class Options>
  void add(const std::string& name,
           const std::string& purpose,
           void (*declare)(CLI::App&, Options&),
           int (*run)(const Kit&, const Options&)) {
    const auto options = std::make_shared<Options>();
    declare(*app_.add_subcommand(name, purpose), *options);
    commands_[name] = [options, run](const Kit& kit) { return run(kit, *options); };
  }
  void add(const std::string& name, const std::string& purpose, int (*run)(const Kit&)) {
    app_.add_subcommand(name, purpose);
    commands_[name] = run;
  }

  int run(int argc, char** argv) {
    kill_children_on_interrupt();
    try {
      app_.require_subcommand(1);
      app_.parse(argc, argv);
      return commands_.at(app_.get_subcommands().front()->get_name())(find_kit(argv[0]));
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? kExitGraded : kExitUsage;
    } catch (const UsageError& error) {
      std::cerr << "lab: " << error.what() << '\n';
      return kExitUsage;
    } catch (const KitBroken& error) {
      std::cerr << "lab: the kit itself is broken, this is not your fault: " << error.what()
                << '\n';
    } catch (const std::exception& error) {
      std::cerr << "lab: unexpected: " << error.what() << '\n';
    }
    return kExitKitBroken;
  }

 private:
  CLI::App app_{"PagedLab: build the paged KV cache that serves large language models", "./lab"};
  std::map<std::string, std::function<int(const Kit&)>> commands_;
};

}  // namespace kv::grader
