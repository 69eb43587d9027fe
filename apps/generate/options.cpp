#include "apps/generate/options.h"

#include <fstream>

#include "04-kv-cache-manager/given/rules.h"
#include "apps/speaker/speaker.h"

namespace kv::generate {
namespace {

// Each text that many times.
std::vector<std::string> repeated(const std::vector<std::string>& texts, std::size_t num) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.insert(all.end(), num, text);
  return all;
}

// A prompt for each line that is not blank.
std::vector<std::string> read_prompts(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> prompts;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) prompts.push_back(line);
  }
  if (!in.eof()) throw InputError("\"" + file + "\" cannot be read; --prompts takes a text file");
  if (prompts.empty()) throw InputError("\"" + file + "\" has no prompt; write one in each line");
  return prompts;
}

}  // namespace

Options read_options(std::map<std::string, std::string> given) {
  const std::string& prompts_file = given["prompts"];
  const std::size_t num_answers = std::stoull(given["answers"]);
  const std::vector<std::string> prompts =
      prompts_file.empty() ? std::vector{given["prompt"]} : read_prompts(prompts_file);
  return {.model = given["model"],
          .prompts = repeated(prompts, num_answers),
          .num_answers = num_answers,
          .block_size = std::stoull(given["block-size"]),
          .num_blocks = std::stoull(given["blocks"]),
          .rules = rules_named(given["rules"]).value(),
          .num_threads = std::stoull(given["threads"]),
          .num_drafts = std::stoull(given["drafts"]),
          .max_tokens = std::stoull(given["max-tokens"]),
          .temperature = std::stod(given["temperature"]),
          .top_p = std::stod(given["top-p"]),
          .seed = std::stoull(given["seed"])};
}

}  // namespace kv::generate
