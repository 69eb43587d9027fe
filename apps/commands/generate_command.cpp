#include "apps/commands/speaking_options.h"
#include "apps/commands/stack_program.h"
#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

struct GenerateOptions : SpeakingOptions {
  std::string prompt = {};
  std::string prompts_file = {};
  std::size_t num_drafts = 0;
  std::size_t num_answers = 1;
  bool peers = false;
};

void declare_generate(CommandForm& form, GenerateOptions& options) {
  form.argument("PROMPT", options.prompt, "what the text begins with");
  form.option("--prompts", options.prompts_file, "a file with a prompt in each line");
  declare_engine(form, options);
  form.option("--drafts", options.num_drafts,
              "tokens that are guessed in each step, by steps 7.14 to 7.16; by default 0")
      .between(0, 100);
  form.option("--answers", options.num_answers,
              "answers to each prompt, which share its blocks by steps 7.17 and 7.18; "
              "by default 1")
      .between(1, 100);
  declare_sampling(form, options);
  form.flag("--peers", options.peers,
            "in place of a prompt: measures your stack beside llama.cpp, with the model smollm2");
  form.footer(
      "A model speaks through your lab 07; labs 01 to 05 are the solution's. The text of one\n"
      "prompt is shown while it comes. Several prompts or answers are computed together, and\n"
      "each text is shown when it ends. The last line has the hash of all logits: it is the same\n"
      "for every size and number of blocks and every number of threads.\n"
      "A model is a folder with config.json, model.safetensors (F32, F16 or BF16) and\n"
      "tokenizer.json (byte-level BPE), as Hugging Face has them.\n"
      "exit codes: 0 done, 2 wrong use, a model that cannot be read, steps that are not\n"
      "written, or code that breaks, 3 the kit itself is broken");
}

// llama.cpp is a package of Python, which is installed into a folder of its own.
int run_beside_peers(const Kit& kit, const fs::path& program, const fs::path& model) {
  require_installed("python3", "python3");
  const fs::path place = kit.build / "peers";
  fs::create_directories(place);
  return run_in_foreground(
      "/usr/bin/env",
      {"python3", (kit.root / "apps" / "model" / "peers" / "compare.py").string(), "--program",
       program.string(), "--model", model.string(), "--place", place.string()},
      {"generate", "", "", true});
}

void refuse_no_prompt(const GenerateOptions& options) {
  const bool has_prompt = !options.prompt.empty(), has_file = !options.prompts_file.empty();
  if (options.peers && (has_prompt || has_file || !options.model.empty()))
    throw UsageError("--peers has a model and prompts of its own: ./lab generate --peers");
  if (!options.peers && has_prompt == has_file)
    throw UsageError("give a prompt or a file of prompts: ./lab generate \"Once upon\", or " +
                     std::string("./lab generate --prompts FILE"));
}

std::vector<std::string> arguments_of(const Kit& kit,
                                      const LabSpec& lab,
                                      const GenerateOptions& options) {
  std::vector<std::string> arguments = speaking_arguments(kit, lab, options);
  arguments.insert(arguments.end(), {"prompt", options.prompt, "prompts", options.prompts_file,
                                     "drafts", std::to_string(options.num_drafts), "answers",
                                     std::to_string(options.num_answers)});
  return arguments;
}

int generate_command(const Kit& kit, const GenerateOptions& options) {
  refuse_no_prompt(options);
  const LabSpec& lab = kit.manifest.lab("07");
  refuse_closed(kit, lab, "./lab generate");
  const auto build = [&] {
    return build_finished_stack(kit, {"generate", {&lab}, "student"}, options.tree);
  };
  if (options.peers) {
    const fs::path model = folder_of_model(kit, lab, "smollm2");
    return run_beside_peers(kit, build(), model);
  }
  return run_in_foreground(build(), arguments_of(kit, lab, options),
                           {"generate", options.tree, lab.id});
}

}  // namespace

void add_generate_command(CommandLine& line) {
  line.add<GenerateOptions>("generate", declare_generate, generate_command);
}

}  // namespace kv::grader
