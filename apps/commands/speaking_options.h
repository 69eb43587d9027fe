#pragma once
// The options of the commands that let a model speak.

#include <algorithm>
#include <string>
#include <thread>
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
  std::size_t num_threads = std::max(1u, std::thread::hardware_concurrency());
};

struct SpeakingOptions : EngineOptions {
  std::size_t max_tokens = 200;
  double temperature = 0.8;
  double top_p = 0.95;
  std::optional<std::uint64_t> seed = {};  // by default 0
};

// What ./lab model has made: a folder for each name.
fs::path models_folder(const Kit& kit);

// The folder of a model that a user has named. What ./lab model has made comes first; a folder with
// a slash in its name is meant itself, and no name is lab 07's model.
std::string folder_of_model(const Kit& kit, const LabSpec& lab, const std::string& model);

void declare_engine(CommandForm& form, EngineOptions& options);
void declare_sampling(CommandForm& form, SpeakingOptions& options);

// Pairs of a name and a value: the programs read them.
std::vector<std::string> engine_arguments(const Kit& kit,
                                          const LabSpec& lab,
                                          const EngineOptions& options);
std::vector<std::string> speaking_arguments(const Kit& kit,
                                            const LabSpec& lab,
                                            const SpeakingOptions& options);

}  // namespace kv::grader
