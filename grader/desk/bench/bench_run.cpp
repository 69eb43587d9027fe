#include "grader/desk/bench/bench_run.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace kv::grader {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields{""};
  for (const char c : line) {
    if (c == '\t') fields.emplace_back();
    if (c != '\t') fields.back() += c;
  }
  return fields;
}

void add_time(const std::vector<std::string>& fields, const BenchRow& row, BenchRun& run) {
  const bool is_limit = fields[3] == "limit";
  if (is_limit) run.limits[row.table] = row;
  if (!is_limit) run.steps.push_back(row);
  run.seconds[row] = std::strtod(fields[4].c_str(), nullptr);
}

void add_count(const std::vector<std::string>& fields, const BenchRow& row, BenchRun& run) {
  std::vector<BenchCount>& counts = run.counts[row];
  if (counts.empty()) run.counted.push_back(row);
  counts.push_back({fields[3], std::strtod(fields[4].c_str(), nullptr)});
}

void read_line(const std::vector<std::string>& fields, BenchRow& current, BenchRun& run) {
  constexpr std::size_t kMaxMessageBytes = 60;
  const std::string& kind = fields[0];
  if (kind == "note" && fields.size() == 2) run.notes.push_back(fields[1]);
  if (fields.size() < 3) return;
  const BenchRow row{fields[1], fields[2]};
  if (kind == "begin") current = row;
  if (fields.size() >= 5 && kind == "row") add_time(fields, row, run);
  if (fields.size() >= 5 && kind == "count") add_count(fields, row, run);
  if (fields.size() < 4) return;
  if (kind == "answer") run.answers[row] = std::strtod(fields[3].c_str(), nullptr);
  if (kind == "stub") run.failures[row] = "not written: " + fields[3];
  if (kind == "threw") run.failures[row] = "threw: " + printable(fields[3], kMaxMessageBytes);
}

std::string how_it_ended(const Outcome& outcome, double cpu_seconds) {
  if (outcome.timed_out) {
    return "stopped after " + std::to_string(std::lround(cpu_seconds)) + " s: does it end?";
  }
  if (outcome.signal != 0) return std::string("crash: ") + ::strsignal(outcome.signal);
  return "ended the program (exit?)";
}

}  // namespace

BenchRun run_bench(const BenchProgram& bench,
                   const std::set<BenchRow>& without,
                   double cpu_seconds) {
  std::string left_out;
  for (const BenchRow& row : without) left_out += row.table + "\t" + row.name + "\n";
  fs::remove(bench.rows_file);
  Command command{
      .argv = {bench.program.string()},
      .environment = {{"KV_BENCH_ROWS", bench.rows_file.string()}, {"KV_BENCH_WITHOUT", left_out}},
      .limits = Limits{.cpu_seconds = cpu_seconds}};
  command.argv.insert(command.argv.end(), bench.options.begin(), bench.options.end());
  BenchRun run{.outcome = kv::grader::run(command)};
  if (!fs::exists(bench.rows_file)) return run;
  BenchRow current;
  for (const std::string& line : split_lines(read_file(bench.rows_file))) {
    read_line(fields_of(line), current, run);
  }
  run.began = !current.name.empty();
  const bool is_missing = !run.seconds.contains(current) && !run.counts.contains(current) &&
                          !run.failures.contains(current);
  run.ended_early = run.began && (!run.outcome.ok() || is_missing);
  if (run.ended_early) {
    run.failures.insert({current, how_it_ended(run.outcome, cpu_seconds)});
  }
  return run;
}

}  // namespace kv::grader
