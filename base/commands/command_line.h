#pragma once
// The commands of a program: their options, what they run, and the exit code.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/commands/command_form.h"
#include "base/commands/commands.h"
#include "base/commands/common_options.h"
#include "base/kit/kit.h"

namespace kv::grader {

// Asks at a terminal; only y or yes means yes. Throws UsageError with `refusal` where nobody can
// be asked.
bool confirm(const std::string& question, const std::string& refusal);

// What kCommandTable says that a command is for.
std::string purpose_of(const std::string& command);

// An option that has a long name, as the help shows it.
struct ListedOption {
  std::string name;  // "--tree"
  std::string purpose;
  bool takes_value;
};

struct ListedCommand {
  std::string name;
  std::string purpose;
  std::vector<ListedOption> options = {};
  std::vector<std::string> arguments = {};  // "LAB"
};

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

  // Why here: a program without a score sheet does not link load_manifest.
  CommandLine() : CommandLine(Program()) {}
  explicit CommandLine(Program program);
  ~CommandLine();

  // name: of a command in kCommandTable. declare: says what may be written. execute: returns the
  // exit code.
  template <class Options>
  void add(const std::string& name,
           void (*declare)(CommandForm&, Options&),
           std::function<int(const Kit&, const Options&)> execute) {
    const auto options = std::make_shared<Options>();
    CommandForm form =
        add(name, [options, execute](const Kit& kit) { return execute(kit, *options); });
    declare(form, *options);
  }
  CommandForm add(const std::string& name, std::function<int(const Kit&)> execute);

  // The commands that were added, with what the help says of them.
  std::vector<ListedCommand> list() const;

  int run(std::vector<std::string> words);
  int run(int argc, char** argv);

 private:
  int say(const std::string& sentence, int exit_code) const;
  void refuse_unknown_command(int argc, char** argv) const;
  std::string help_command() const;
  std::string call_of(const std::string& command) const;

  std::unique_ptr<CLI::App> app_;
  std::map<std::string, std::function<int(const Kit&)>> commands_;
  Program program_;
};

}  // namespace kv::grader
