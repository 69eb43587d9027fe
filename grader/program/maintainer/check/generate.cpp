// `./lab generate`: the same hash for all settings, and bad input or a tree that breaks is a clear
// error.

#include <set>

#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/small_checkpoint.h"

namespace kv::grader {
namespace {

constexpr const char* kFolder = "inner-generate";

Outcome generate(const Kit& kit, std::vector<std::string> options, const std::string& tree) {
  options.insert(options.begin(), {"generate", "--tree", tree});
  return run_lab(kit, options, kFolder);
}

// The checkpoint of these checks, in the folder in which each is written.
class Checkpoint : public SmallCheckpoint {
 public:
  explicit Checkpoint(const Kit& kit) : kit_(kit), folder_(kit.build / "generate-model") {}

  Outcome speak(std::vector<std::string> options) const {
    write(folder_);
    options.insert(options.end(), {"--model", folder_.string()});
    return generate(kit_, options, "solution");
  }
  // Its own prompt, which is short.
  Outcome speak_a_little() const { return speak({"ab", "--max-tokens", "20"}); }
  const fs::path& folder() const { return folder_; }

 private:
  const Kit& kit_;
  fs::path folder_;
};

// The hash at the end of the last line; empty without one.
std::string hash_in(const Outcome& outcome) {
  const std::size_t at = outcome.output.rfind("logits ");
  return outcome.ok() && at != std::string::npos ? outcome.output.substr(at) : "";
}

void check_default_model(const Kit& kit, Checks& checks) {
  const Outcome outcome = generate(kit, {"Once upon"}, "solution");
  const bool speaks = outcome.output.find("Once upon") != std::string::npos;
  checks.expect(speaks && !hash_in(outcome).empty(), "the model of the lab speaks", outcome.output);
}

// Eight prompts, together and in little room.
void check_settings(const Kit& kit, Checks& checks) {
  const fs::path prompts = kit.build / "generate-prompts.txt";
  write_file(prompts, "abcdefgh\nabcdefgi\nxyz\n\nq\r\nabcdefgh\nhello\nabcdefghijklm\nz\n");
  const Checkpoint checkpoint(kit);
  std::set<std::string> hashes;
  std::string output;
  for (const auto& [block_size, num_blocks] :
       std::vector<std::pair<std::string, std::string>>{{"16", "64"}, {"1", "70"}, {"4", "17"}}) {
    const Outcome outcome = checkpoint.speak({"--prompts", prompts.string(), "--max-tokens", "40",
                                              "--block-size", block_size, "--blocks", num_blocks});
    hashes.insert(hash_in(outcome));
    output = outcome.output;
  }
  checks.expect(hashes.size() == 1 && !hashes.contains(""),
                "one hash for three sizes and numbers of blocks", output);
  checks.expect(output.find(" 0 preemptions") == std::string::npos &&
                    output.find("[8] z") != std::string::npos,
                "with few blocks, requests are preempted, and each text is shown", output);
}

std::size_t num_steps_in(const Outcome& outcome) {
  const std::size_t end = outcome.output.rfind(" steps");
  const std::size_t begin = outcome.output.find_last_not_of("0123456789,", end - 1) + 1;
  std::string digits = outcome.output.substr(begin, end - begin);
  std::erase(digits, ',');
  return outcome.ok() && !digits.empty() ? std::stoull(digits) : 0;
}

// A text that repeats itself, with drafts and without.
void check_drafts(const Kit& kit, Checks& checks) {
  const Checkpoint checkpoint(kit);
  const std::vector<std::string> asked = {"abcabcabc", "--temperature", "0", "--max-tokens", "60"};
  std::vector<std::string> with_drafts = asked;
  with_drafts.insert(with_drafts.end(), {"--drafts", "3"});
  const Outcome without = checkpoint.speak(asked), with = checkpoint.speak(with_drafts);
  checks.expect(
      hash_in(without) == hash_in(with) && num_steps_in(with) > 0 &&
          num_steps_in(with) < num_steps_in(without),
      "with drafts, the same hash after fewer steps: " + std::to_string(num_steps_in(with)) +
          ", and without " + std::to_string(num_steps_in(without)),
      without.output + with.output);
}

void check_formats(const Kit& kit, Checks& checks) {
  std::set<std::string> hashes;
  for (const std::string dtype : {"F32", "F16", "BF16"}) {
    Checkpoint checkpoint(kit);
    checkpoint.dtype = dtype;
    hashes.insert(hash_in(checkpoint.speak_a_little()));
  }
  Checkpoint untied(kit);
  untied.config["tie_word_embeddings"] = false;
  untied.shapes["lm_head.weight"] = untied.shapes["model.embed_tokens.weight"];
  hashes.insert(hash_in(untied.speak_a_little()));
  Checkpoint newer(kit);
  newer.config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 10000.0}};
  hashes.insert(hash_in(newer.speak_a_little()));
  checks.expect(
      hashes.size() == 1 && !hashes.contains(""),
      "one hash in F32, F16 and BF16, with the embedding written twice, and in newer form");
  newer.config["rope_parameters"]["rope_theta"] = 500.0;
  checks.expect(!hashes.contains(hash_in(newer.speak_a_little())), "rope_theta in newer form");
}

void check_bad_checkpoints(const Kit& kit, Checks& checks) {
  Checkpoint bias(kit);
  bias.shapes["model.layers.0.self_attn.q_proj.bias"] = {16};
  expect_sentence(checks, "a bias", bias.speak_a_little(), kExitUsage,
                  "model.layers.0.self_attn.q_proj.bias; choose another model");
  Checkpoint dtype(kit);
  dtype.dtype = "I32";
  expect_sentence(checks, "an unknown dtype", dtype.speak_a_little(), kExitUsage,
                  "numbers of type I32; F32, F16 and BF16 can be read");
  Checkpoint no_heads(kit);
  no_heads.config["num_attention_heads"] = 0;
  expect_sentence(checks, "no heads", no_heads.speak_a_little(), kExitUsage, "do not fit together");
  Checkpoint small_vocabulary(kit);
  small_vocabulary.config["vocab_size"] = 200;
  small_vocabulary.shapes["model.embed_tokens.weight"] = {200, 16};
  expect_sentence(checks, "a tokenizer of another model", small_vocabulary.speak_a_little(),
                  kExitUsage, "more tokens than the model");
  Checkpoint scaled(kit);
  scaled.config["rope_parameters"] = {{"rope_type", "llama3"}, {"rope_theta", 10000.0}};
  expect_sentence(checks, "scaled rotary embeddings", scaled.speak_a_little(), kExitUsage,
                  "with scaled rotary embeddings");
  Checkpoint other(kit);
  other.config["model_type"] = "gpt2";
  expect_sentence(checks, "another architecture", other.speak_a_little(), kExitUsage,
                  "other than Llama");
}

void check_bad_input(const Kit& kit, Checks& checks) {
  const auto expect = [&](const std::string& name, std::vector<std::string> options,
                          const std::string& says) {
    expect_sentence(checks, name, Checkpoint(kit).speak(std::move(options)), kExitUsage, says);
  };
  expect("no prompt", {}, "give a prompt");
  expect("no such file of prompts", {"--prompts", "/nowhere"}, "\"/nowhere\" cannot be read");
  expect("no prompt in the file", {"--prompts", "/dev/null"}, "has no prompt");
  expect("a long prompt", {std::string(70, 'a')}, "prompt 1 has 71 tokens");
  expect("0 blocks", {"ab", "--blocks", "0"}, "--blocks: Value 0 not in range");
  expect("too few blocks", {"ab", "--blocks", "2"}, "give --blocks 4, or fewer --max-tokens");
  expect("too many blocks", {"ab", "--blocks", "1000000000"}, "give fewer, with --blocks");
  expect("no number", {"ab", "--temperature", "nan"}, "\"nan\" is no number from 0 to 100");
  expect_sentence(checks, "no such model", generate(kit, {"ab", "--model", "/nowhere"}, "solution"),
                  kExitUsage, "\"/nowhere\" has no config.json; --model takes a folder");
}

// What a student reads whose tree does not speak.
void check_trees(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("07");
  const Checkpoint checkpoint(kit);
  checkpoint.write(checkpoint.folder());
  expect_sentence(checks, "the starter", generate(kit, {"ab"}, "starter"), kExitUsage,
                  "7.1 add_request is not written in starter/");
  const auto expect = [&](const std::string& name, const std::string& statement,
                          const std::string& says) {
    const fs::path tree = kit.build / "generate-tree";
    for (const std::string& file : lab.files) {
      const std::string schedule = "const SchedulerOutput output = scheduler_.schedule();";
      write_file(tree / lab.folder / file, replace_all(kit.solution_text(lab, file), schedule,
                                                       statement + "\n  " + schedule));
    }
    expect_sentence(checks, name,
                    generate(kit, {"ab", "--model", checkpoint.folder().string()}, tree.string()),
                    kExitUsage, says);
  };
  expect("a step that throws", "throw std::out_of_range(\"lost\");",
         "the tree throws an exception: lost");
  expect("a step that crashes", "*reinterpret_cast<volatile int*>(8) = 1;", "generate crashed");
  expect("a step that does not end", "for (volatile int i = 0; i < 1;) {}",
         "a step has taken 10 s of processor time");
  expect("steps without a token", "if (block_size_ > 0) return {};", "1000 steps, and no request");
  expect("a step that calls exit", "std::exit(7);", "generate ended early, with status 7");
}

}  // namespace

void check_generate(const Kit& kit, Checks& checks) {
  expect_sentence(checks, "an option that does not exist",
                  generate(kit, {"ab", "--fast"}, "solution"), kExitUsage,
                  "--fast; run ./lab generate --help");
  check_default_model(kit, checks);
  check_settings(kit, checks);
  check_drafts(kit, checks);
  check_formats(kit, checks);
  check_bad_checkpoints(kit, checks);
  check_bad_input(kit, checks);
  check_trees(kit, checks);
}

}  // namespace kv::grader
