// `./lab replay`: the hits of the manager are those of an oracle, and bad input is a clear error.

#include "grader/program/base/kit/json.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

constexpr const char* kFolder = "inner-bench";  // that of ./lab bench: the same chain of checks

Outcome replay(const Kit& kit, std::vector<std::string> options, const std::string& tree) {
  options.insert(options.begin(), {"replay", "--tree", tree});
  return run_lab(kit, options, kFolder);
}

// The program that ./lab replay has built, alone.
class ReplayProgram {
 public:
  explicit ReplayProgram(const Kit& kit)
      : program_(kit.build / kFolder / "bench" / "lab04_replay"),
        input_(kit.build / "replay.txt") {}

  Outcome run(std::vector<std::string> options) const {
    options.insert(options.begin(), program_.string());
    return kv::grader::run({.argv = std::move(options)});
  }
  Outcome run_on(const std::string& trace, std::vector<std::string> options = {}) const {
    write_file(input_, trace);
    options.insert(options.begin(), {input_.string(), "--serve", "0", "--capacities", "64"});
    return run(std::move(options));
  }
  const fs::path& input() const { return input_; }
  const fs::path& program() const { return program_; }

 private:
  fs::path program_, input_;
};

Json parsed(const Outcome& outcome) {
  return Json::parse(outcome.output, nullptr, false);
}

// The trace that the texts speak of: the same bytes on every machine.
void check_default_trace(const ReplayProgram& program, Checks& checks) {
  const Outcome made = program.run({"--generate", "800"});
  const std::vector<std::string> lines = split_lines(made.output);
  checks.expect(made.ok() && made.output.size() == 75'682 && lines.size() == 800 &&
                    lines.back().ends_with("\"hash_ids\": [3, 4, 5, 1336]}"),
                "the generator makes the default trace", made.output.substr(0, 2000));

  const Json report = parsed(program.run({"--serve", "0", "--capacities", "64", "--json", "-"}));
  const Json of_file = parsed(program.run_on(made.output, {"--json", "-"}));
  bool differs = report.is_discarded() || of_file.is_discarded();
  for (const std::string count : {"num_blocks", "num_hits"})
    differs = differs || report["hit_rates"][0][count] != of_file["hit_rates"][0][count];
  checks.expect(!differs, "without a trace, the default one is replayed");
}

// In small caches blocks are evicted, and some requests do not fit.
void check_oracle(const ReplayProgram& program, Checks& checks) {
  for (const std::string block_size : {"16", "512"}) {
    std::vector<std::string> options = {
        "--block-size",       block_size, "--serve", "0",
        "--beside-reference", "--json",   "-",       "--capacities"};
    for (const int capacity : {8, 100, 400, 1000, 5000})
      options.push_back(std::to_string(block_size == "16" ? 32 * capacity : capacity));
    const Outcome outcome = program.run(options);
    const Json report = parsed(outcome);
    bool differs = !outcome.ok() || report.is_discarded();
    for (const Json& row : differs ? Json::array() : report["hit_rates"]) {
      for (const std::string reference : {"reference", "exact_reference"})
        for (const std::string count : {"num_hits", "num_evictions", "num_unfit"})
          differs |= row[count] != row[reference][count];
    }
    checks.expect(!differs,
                  "manager and oracle: equal hits and evictions at five capacities, "
                  "blocks of " +
                      block_size,
                  outcome.output);
  }
}

void check_bad_lines(const ReplayProgram& program, Checks& checks) {
  const std::string good =
      R"({"timestamp": 0, "input_length": 600, "output_length": 3, "hash_ids": [0, 1]})";
  const std::vector<std::pair<std::string, std::string>> bad_lines = {
      {"{\"input_length\": 600,", "this is not JSON"},
      {"[1, 2]", "this is not a JSON object"},
      {R"({"output_length": 3, "hash_ids": [0]})", "there is no \"input_length\""},
      {R"({"input_length": "6", "output_length": 3, "hash_ids": [0]})", "a whole number"},
      {R"({"input_length": 0, "output_length": 3, "hash_ids": []})", "from 1 to 10000000"},
      {R"({"input_length": 600, "output_length": 3, "hash_ids": [0]})", "2 blocks of 512"},
      {R"({"input_length": 600, "output_length": 3, "hash_ids": [0, -1]})", "ids are whole"},
      {R"({"input_length": 600, "output_length": 3})", "no list \"hash_ids\""},
      {R"({"timestamp": "x", "input_length": 6, "output_length": 3, "hash_ids": [0]})",
       "timestamp is"}};
  std::string all = good + "\n";
  for (const auto& [line, why] : bad_lines) {
    const Outcome outcome = program.run_on(good + "\n" + line + "\n");
    expect_sentence(checks, "a malformed line", outcome, kExitUsage,
                    program.input().string() + ":2: ");
    checks.expect(outcome.output.find(why) != std::string::npos, "it says " + why, outcome.output);
    all += line + "\n";
  }
  const Outcome skipped = program.run_on(all + good + "\n", {"--skip-bad", "--json", "-"});
  const Json report = parsed(skipped);
  checks.expect(skipped.ok() && report["num_bad_lines"] == bad_lines.size() &&
                    report["num_requests"] == 2 && report["hit_rates"][0]["num_hits"] == 64,
                "--skip-bad leaves them out and counts them", skipped.output);
}

void check_formats(const ReplayProgram& program, Checks& checks) {
  const Outcome csv = program.run_on(
      "Timestamp,CONTEXTTOKENS,GeneratedTokens\r\n2023-11-16 18:17:03.97,374,44\r\n\n1,513,9\n",
      {"--json", "-", "--block-size", "512"});
  const Json report = parsed(csv);
  checks.expect(csv.ok() && report["num_requests"] == 2 && report["num_distinct_ids"] == 3,
                "CSV, with any case of its header", csv.output);
  expect_sentence(checks, "CSV with a field too few", program.run_on("prompt,output\n5,6\n7\n"),
                  kExitUsage, ":3: there are 1 fields");
  expect_sentence(checks, "CSV with a wrong number", program.run_on("prompt,output\n5,6x\n"),
                  kExitUsage, ":2: the output's length is \"6x\"");
  expect_sentence(checks, "neither of the formats", program.run_on("hello\n"), kExitUsage,
                  "neither a JSON object nor a CSV header");
  expect_sentence(checks, "a compressed trace", program.run_on("\x1f\x8b\x08\n"), kExitUsage,
                  "zcat");
  expect_sentence(checks, "an empty trace", program.run_on("\n"), kExitUsage, "has no request");
  expect_sentence(checks, "no such trace", program.run({"/nowhere.jsonl"}), kExitUsage,
                  "cannot read a trace from \"/nowhere.jsonl\"");
  write_file(program.input(), "prompt,output\n700,6\n");
  const std::string script = "cat '" + program.input().string() + "' | \"$0\" - --serve 0";
  expect_sentence(checks, "a trace on the standard input",
                  run({.argv = {"sh", "-c", script, program.program().string()}}), kExitGraded,
                  "1 requests of standard input");
}

void check_results(const ReplayProgram& program, Checks& checks) {
  const fs::path events = program.input().string() + ".events";
  const Outcome outcome = program.run(
      {"--first", "300", "--pool-tokens", "65536", "--json", "-", "--events", events.string()});
  const Json report = parsed(outcome);
  if (!outcome.ok() || report.is_discarded())
    return checks.expect(false, "--json prints all results", outcome.output);
  const Json& schemes = report["serving"]["schemes"];
  checks.expect(schemes.size() == 5 && schemes[0]["held_of_pool"] < schemes[1]["held_of_pool"] &&
                    schemes[3]["held_of_reserved"] > 0.98 && schemes[3]["held_of_pool"] > 0.9,
                "--json: paging holds more tokens than memory in one piece", schemes.dump());
  std::size_t num_events = 0;
  bool is_log = true;
  for (const std::string& line : split_lines(read_file(events))) {
    const Json event = Json::parse(line, nullptr, false);
    is_log &= !event.is_discarded() && event["step"] == num_events++ && event["state"].is_object();
  }
  checks.expect(is_log && num_events > 100, "--events: steps of a story, one object a line");
}

// What a student reads whose tree cannot be replayed.
void check_trees(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("04");
  expect_sentence(checks, "the starter", replay(kit, {}, "starter"), kExitUsage,
                  "4.1 BlockTable::append is not written in starter/");
  const std::string file = "kv_cache_manager.cpp";
  const std::string free_body =
      "block_pool_.free_blocks(std::vector(blocks.rbegin(), blocks.rend()));";
  const auto tree_with = [&](const std::string& body) {
    const fs::path tree = kit.build / "replay-tree";
    for (const std::string& name : lab.files) {
      const std::string text = kit.solution_text(lab, name);
      write_file(tree / lab.folder / name,
                 name == file ? replace_all(text, free_body, body) : text);
    }
    return tree.string();
  };
  expect_sentence(checks, "a manager that throws",
                  replay(kit, {}, tree_with("throw std::out_of_range(\"lost\");")), kExitUsage,
                  "the tree throws an exception: lost");
}

}  // namespace

void check_replay(const Kit& kit, Checks& checks) {
  const Outcome built = replay(kit, {"--first", "3"}, "solution");
  if (built.output.find("libbenchmark-dev") != std::string::npos)
    return checks.unavailable("a trace is replayed", "Google Benchmark");
  expect_sentence(checks, "the default trace", built, kExitGraded, "hit rate by capacity");
  expect_sentence(checks, "an option that does not exist", replay(kit, {"--fast"}, "solution"),
                  kExitUsage, "--fast; run ./lab replay --help");
  const ReplayProgram program(kit);
  check_default_trace(program, checks);
  check_oracle(program, checks);
  check_bad_lines(program, checks);
  check_formats(program, checks);
  check_results(program, checks);
  check_trees(kit, checks);
}

}  // namespace kv::grader
