#include "apps/commands/speaking_options.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "base/commands/common_options.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

// Why by hand: a range of CLI11 accepts "nan".
std::function<std::string(const std::string&)> number(const std::string& range,
                                                      bool (*is_in_range)(double)) {
  return [=](const std::string& text) -> std::string {
    char* end = nullptr;
    const double given = std::strtod(text.c_str(), &end);
    const bool fits = !text.empty() && *end == '\0' && is_in_range(given);
    return fits ? "" : "\"" + text + "\" is no number " + range;
  };
}

constexpr std::size_t kMost = 1'000'000'000;
constexpr std::size_t kMostThreads = 1024;

// All digits of a number.
std::string text_of(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

}  // namespace

fs::path models_folder(const Kit& kit) {
  return kit.build / "models";
}

std::string folder_of_model(const Kit& kit, const LabSpec& lab, const std::string& model) {
  if (model.empty()) return (kit.lab_folder(lab) / "given" / "model").string();
  const fs::path made = models_folder(kit) / model;
  const bool is_name = fs::path(model).filename() == model;
  if (is_name && fs::exists(made)) return made.string();
  if (!is_name || fs::exists(model)) return model;
  throw UsageError("there is no folder \"" + model + "\", and ./lab model has made no model of " +
                   "this name; ./lab model smollm2 makes one of the name smollm2");
}

void declare_engine(CommandForm& form, EngineOptions& options) {
  declare_tree(form, options.tree);
  form.option("--model", options.model,
              "a folder with a Llama or a Qwen 3, or a name that ./lab model has made; by default "
              "the one of lab 07");
  form.option("--block-size", options.block_size, "tokens in a block, by default 16")
      .between(1, kMost);
  form.option("--blocks", options.num_blocks, "blocks of the KV cache, by default 64")
      .between(1, kMost);
  form.option("--rules", options.rules,
              "whose decisions: vllm_0_22, which is the default, or vllm_0_33")
      .one_of({"vllm_0_22", "vllm_0_33"});
  form.option("--threads", options.num_threads,
              "that compute the model's products, by default one for each processor; the text is "
              "the same")
      .between(1, kMostThreads);
}

void declare_sampling(CommandForm& form, SpeakingOptions& options) {
  form.option("--max-tokens", options.max_tokens,
              "tokens of a text, by default " + std::to_string(options.max_tokens))
      .between(1, kMost);
  form.option("--temperature", options.temperature,
              "0: always the most likely token; by default 0.8")
      .check(number("from 0 to 100", [](double given) { return given >= 0 && given <= 100; }));
  form.option("--top-p", options.top_p,
              "only the most likely tokens, which together have this probability; "
              "by default 0.95")
      .check(number("above 0, up to 1", [](double given) { return given > 0 && given <= 1; }));
  declare_seed(form, options.seed, "another number, another text; by default 0");
}

std::vector<std::string> engine_arguments(const Kit& kit,
                                          const LabSpec& lab,
                                          const EngineOptions& options) {
  return {"model",      folder_of_model(kit, lab, options.model),
          "block-size", std::to_string(options.block_size),
          "blocks",     std::to_string(options.num_blocks),
          "rules",      options.rules,
          "threads",    std::to_string(options.num_threads)};
}

std::vector<std::string> speaking_arguments(const Kit& kit,
                                            const LabSpec& lab,
                                            const SpeakingOptions& options) {
  std::vector<std::string> arguments = engine_arguments(kit, lab, options);
  arguments.insert(arguments.end(),
                   {"max-tokens", std::to_string(options.max_tokens), "temperature",
                    text_of(options.temperature), "top-p", text_of(options.top_p), "seed",
                    std::to_string(options.seed.value_or(0))});
  return arguments;
}

}  // namespace kv::grader
