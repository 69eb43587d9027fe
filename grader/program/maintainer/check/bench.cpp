#include <algorithm>

#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/made_trees.h"

namespace kv::grader {
namespace {

void replace_stub(const fs::path& file, const std::string& step, const std::string& body) {
  write_file(file, replace_all(read_file(file), "KV_TODO(\"" + step + "\");", body));
}

Outcome run_bench_of(const Kit& kit, const fs::path& tree, std::vector<std::string> options) {
  options.insert(options.begin(), {"bench", "05", "--tree", tree.string()});
  return run_lab(kit, options, "inner-bench");
}

// Steps up to 5.4 are the solution's. After them: a crash, a stub for one type of number, and a
// body that does nothing for the other type.
fs::path write_half_tree(const Kit& kit, const LabSpec& lab) {
  const fs::path tree = kit.build / "bench-half";
  write_stair(kit, lab, "5.4", tree);
  replace_stub(tree / lab.folder / "streaming_attention.cpp", "5.9 paged_attention_streaming",
               "__builtin_trap();");
  replace_stub(tree / lab.folder / "tiled_attention.cpp", "5.13 read_part",
               "if (part < sizeof(Stored) / 4) KV_TODO(\"5.13 read_part\");");
  return tree;
}

// The first line of the output that begins with this and is in the table of this type.
std::string row_of(const std::string& output, const std::string& type, const std::string& row) {
  bool in_table = false;
  for (const std::string& line : split_lines(output)) {
    if (line.find(" tokens, ") != std::string::npos) in_table = line.starts_with(type);
    if (in_table && line.starts_with("  " + row)) return line;
  }
  return "";
}

// A tree up to 6.7, whose warp kernel writes outside of its array.
void check_traffic(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("06");
  const fs::path tree = kit.build / "bench-cuda";
  write_stair(kit, lab, "6.7", tree);
  replace_stub(tree / lab.folder / "paged_attention_warp.cu", "6.11 paged_attention_warp",
               "p.out[-1] = p.query[0];");
  const Outcome outcome = run_lab(kit, {"bench", "06", "--tree", tree.string()}, "inner-bench");
  const std::vector<std::string> lines = split_lines(outcome.output);
  const auto expect_row = [&](const std::string& title, const std::string& says) {
    const auto at = std::ranges::find_if(
        lines, [&](const std::string& line) { return line.starts_with(title); });
    const bool is_there = lines.end() - at > 2;
    checks.expect(is_there && at[1].starts_with("  solution") && at[2].find(says) < at[2].size(),
                  title + ": \"" + says + "\"", outcome.output);
  };
  checks.expect(outcome.ok(), "a half-written tree of CUDA is counted", outcome.output);
  expect_row("paged_attention_v1", "3.8 x");
  expect_row("paged_attention_warp", "out-of-bounds in line ");
  expect_row("paged_attention_group", "not written: 6.1");
  checks.expect(outcome.output.find("bandwidth on a GPU: ") != std::string::npos,
                "the row of a GPU is there", outcome.output);
}

// The line of numbers of the solution or of "yours" below the first row that is counted.
std::string counts_of(const std::string& output, const std::string& whose) {
  const std::size_t row = output.find("plenty of blocks");
  const std::size_t line = row == std::string::npos ? row : output.find(whose, row);
  return line == std::string::npos ? "" : split_lines(output.substr(line)).front();
}

// A tree that admits one request in a step: the numbers are the same on every machine.
void check_counts(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("07");
  const fs::path tree = kit.build / "bench-counts";
  for (const std::string& file : lab.files) {
    write_file(tree / lab.folder / file,
               replace_all(kit.solution_text(lab, file),
                           "while (!waiting_.empty() && step.token_budget > 0",
                           "if (!waiting_.empty() && step.token_budget > 0"));
  }
  const Outcome outcome =
      run_lab(kit, {"bench", "07", "--tree", tree.string(), "--rounds", "1"}, "inner-bench");
  const std::string solution = counts_of(outcome.output, "solution");
  const std::string yours = counts_of(outcome.output, "yours");
  checks.expect(outcome.ok() && solution.find(" 33 ") != std::string::npos &&
                    yours.find(" 47 ") != std::string::npos,
                "lab 07: the steps of a slower scheduler are counted", outcome.output);
}

}  // namespace

// The check of a table asserts no times: only that there are some.
void check_bench(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("05");
  const fs::path tree = write_half_tree(kit, lab);
  const Outcome outcome =
      run_bench_of(kit, tree, {"--rounds", "1", "--", "--batch", "1", "--length", "64"});
  if (outcome.output.find("libbenchmark-dev") != std::string::npos)
    return checks.unavailable("a half-written tree is measured", "Google Benchmark");
  checks.expect(outcome.ok(), "a half-written tree is measured", outcome.output);
  const auto expect_row = [&](const std::string& type, const std::string& row,
                              const std::string& says) {
    const std::string line = row_of(outcome.output, type, row);
    checks.expect(line.find(says) != std::string::npos, row + ", " + type + ": \"" + says + "\"",
                  outcome.output);
  };
  expect_row("fp32", "two passes (5.4)", " %");
  expect_row("fp32", "streaming (5.9)", "crash: ");
  expect_row("fp32", "tiles (5.13)", "not written: 5.13 read_part");
  expect_row("bf16", "tiles (5.13)", "wrong result; see ./lab grade 05");
  expect_sentence(checks, "an option that the bench does not have",
                  run_bench_of(kit, tree, {"--", "--fast"}), kExitUsage,
                  "does not accept these options");
  check_traffic(kit, checks);
  check_counts(kit, checks);
}

}  // namespace kv::grader
