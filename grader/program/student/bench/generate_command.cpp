#include <array>
#include <cmath>
#include <cstdio>

#include "grader/program/base/commands/command_line.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/student/bench/bench_build.h"
#include "grader/program/student/bench/foreground.h"

namespace kv::grader {
namespace {

struct GenerateOptions {
  std::string tree = "starter";
  std::string prompt = {};
  std::string prompts_file = {};
  std::string model = {};
  std::size_t block_size = 16;
  std::size_t num_blocks = 64;
  std::size_t num_drafts = 0;
  std::size_t max_tokens = 200;
  double temperature = 0.8;
  double top_p = 0.95;
  std::uint64_t seed = 0;
};

// Why not CLI::Range: it accepts "nan".
std::function<std::string(const std::string&)> from_0_to(double most) {
  return [most](const std::string& text) -> std::string {
    double number = 0;
    const bool fits = CLI::detail::lexical_cast(text, number) && number >= 0 && number <= most;
    return fits ? ""
                : "\"" + text + "\" is no number from 0 to " + std::to_string(std::lround(most));
  };
}

void declare_engine(CLI::App& app, GenerateOptions& options) {
  const CLI::Range at_least_one(std::size_t{1}, std::size_t{1'000'000'000});
  app.add_option("--model", options.model, "a folder with a Llama; by default the one of lab 07");
  app.add_option("--block-size", options.block_size, "tokens in a block, by default 16")
      ->check(at_least_one);
  app.add_option("--blocks", options.num_blocks, "blocks of the KV cache, by default 64")
      ->check(at_least_one);
  app.add_option("--max-tokens", options.max_tokens, "tokens of a text, by default 200")
      ->check(at_least_one);
  app.add_option("--drafts", options.num_drafts,
                 "tokens that are guessed in each step, by steps 7.14 to 7.16; by default 0")
      ->check(CLI::Range(std::size_t{0}, std::size_t{100}));
}

void declare_sampling(CLI::App& app, GenerateOptions& options) {
  app.add_option("--temperature", options.temperature,
                 "0: always the most likely token; by default 0.8")
      ->check(from_0_to(100));
  app.add_option("--top-p", options.top_p,
                 "only the most likely tokens, which together have this probability; "
                 "by default 0.95")
      ->check(from_0_to(1));
  app.add_option("--seed", options.seed, "another number, another text; by default 0")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "a seed is a number from 0" : "";
      });
}

void declare_generate(CLI::App& app, GenerateOptions& options) {
  app.add_option("PROMPT", options.prompt, "what the text begins with");
  declare_tree(app, options.tree);
  app.add_option("--prompts", options.prompts_file, "a file with a prompt in each line");
  declare_engine(app, options);
  declare_sampling(app, options);
  app.footer(
      "A model speaks through your lab 07; labs 01 to 05 are the solution's. The text of one "
      "prompt\n"
      "is shown while it comes. Several prompts are answered together, and each text is shown "
      "when\n"
      "it ends. The last line has the hash of all logits: it is the same for every size and "
      "number\n"
      "of blocks, and on every machine.\n"
      "A model is a folder with config.json, model.safetensors (F32, F16 or BF16) and\n"
      "tokenizer.json (byte-level BPE), as Hugging Face has them.\n"
      "exit codes: 0 done, 2 wrong use, a model that cannot be read, steps that are not written, "
      "or\n"
      "code that breaks, 3 the kit itself is broken");
}

void refuse_no_prompt(const GenerateOptions& options) {
  if (options.prompt.empty() == options.prompts_file.empty())
    throw UsageError("give a prompt or a file of prompts: ./lab generate \"Once upon\", or " +
                     std::string("./lab generate --prompts FILE"));
}

// All digits of a number.
std::string text_of(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

std::vector<std::string> arguments_of(const Kit& kit,
                                      const LabSpec& lab,
                                      const GenerateOptions& options) {
  const std::string own_model = (kit.lab_folder(lab) / "given" / "model").string();
  return {"model",       options.model.empty() ? own_model : options.model,
          "prompt",      options.prompt,
          "prompts",     options.prompts_file,
          "block-size",  std::to_string(options.block_size),
          "blocks",      std::to_string(options.num_blocks),
          "max-tokens",  std::to_string(options.max_tokens),
          "drafts",      std::to_string(options.num_drafts),
          "temperature", text_of(options.temperature),
          "top-p",       text_of(options.top_p),
          "seed",        std::to_string(options.seed)};
}

// Why the lock ends here: while a model speaks, other commands can build.
fs::path built_program(const Kit& kit, const LabSpec& lab, const GenerateOptions& options) {
  const Lock lock(kit.build);
  const Submission submission = stage_for_bench(kit, lab, options.tree, "generate-stage");
  refuse_stubs(submission, "./lab generate");
  BuildTree tree(kit, "generate", submission.stage, {.type = "Release"});
  tree.configure();
  build_student_files(kit, tree, submission, lab);
  return build_bench(tree, "lab" + lab.id + "_generate");
}

int generate_command(const Kit& kit, const GenerateOptions& options) {
  refuse_no_prompt(options);
  const LabSpec& lab = kit.manifest.lab("07");
  refuse_closed(kit, lab, "./lab generate");
  return run_in_foreground(built_program(kit, lab, options), arguments_of(kit, lab, options),
                           {"generate", options.tree, lab.id});
}

}  // namespace

void add_generate_command(CommandLine& line) {
  line.add<GenerateOptions>("generate", "a model speaks through your lab 07", declare_generate,
                            generate_command);
}

}  // namespace kv::grader
