#pragma once
// The options of the commands that let a model speak, and their programs.

#include <string>
#include <vector>

#include "base/commands/command_line.h"
#include "base/kit/kit.h"

namespace kv::grader {

struct EngineOptions {
  std::string tree = "starter";
  std::string model = {};
  std::size_t block_size = 16;
  std::size_t num_blocks = 64;
  std::string rules = "vllm_0_22";
};

struct SpeakingOptions : EngineOptions {
  std::size_t max_tokens = 200;
  double temperature = 0.8;
  double top_p = 0.95;
  std::optional<std::uint64_t> seed = {};  // by default 0
};

void declare_engine(CommandForm& form, EngineOptions& options);
void declare_sampling(CommandForm& form, SpeakingOptions& options);

// Pairs of a name and a value: the programs read them.
std::vector<std::string> engine_arguments(const Kit& kit,
                                          const LabSpec& lab,
                                          const EngineOptions& options);
std::vector<std::string> speaking_arguments(const Kit& kit,
                                            const LabSpec& lab,
                                            const SpeakingOptions& options);

// Whose files are built, and into what.
struct SpeakingProgram {
  std::string command;               // "chat": of "lab07_chat"
  std::vector<const LabSpec*> labs;  // that the tree's files are of; the last one has the program
  std::string objects;               // "stack": of "lab07_stack", what is made of these files
};

// The program, built. A lab that the last one needs and that is not done is the solution's, and it
// is said. Throws UsageError when a core step of the last one is not written.
fs::path speaking_program(const Kit& kit, const SpeakingProgram& program, const std::string& tree);

// Builds and runs "chat" or "serve", of the lab's files and those of all labs that it needs, with
// these arguments; Ctrl-C is for that program. Gives its exit code.
int run_stack(const Kit& kit,
              const LabSpec& lab,
              const std::string& command,
              const std::string& tree,
              const std::vector<std::string>& arguments);

}  // namespace kv::grader
