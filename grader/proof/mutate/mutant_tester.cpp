#include "grader/proof/mutate/mutant_tester.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/proof/mutate/schemata.h"

namespace kv::grader::mutate {
namespace {

// The limit of the first run, before it is known how long the tests take.
constexpr double kFirstLimitSeconds = 120;

// How long a test of each round takes at most on the solution; the last round has no limit. Why
// rounds: most mutants fail a quick test, and one that hangs there is stopped early.
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr std::array<double, 3> kMaxMilliseconds = {20, 500, kNoLimit};

// Tests of the mutated file run first, if they take no longer: most mutants fail one of them.
constexpr double kMaxOwnMilliseconds = 500;

// Why so few: a mutant that takes four times as long as the solution hangs, and mutants that hang
// take most of the time of this command.
constexpr double kSolutionTimes = 4;
constexpr double kLeastSeconds = 0.3;

// How long each test that passed took, in milliseconds: "[       OK ] Suite.Test (12 ms)".
std::map<std::string, double> times_in(const std::string& output) {
  constexpr std::string_view kPassed = "[       OK ] ";
  std::map<std::string, double> times;
  for (const std::string& line : split_lines(output)) {
    const std::size_t time = line.rfind(" (");
    if (!line.starts_with(kPassed) || time == line.npos) continue;
    times[line.substr(kPassed.size(), time - kPassed.size())] = std::atof(line.c_str() + time + 2);
  }
  return times;
}

}  // namespace

MutantTester::MutantTester(const Kit& kit, const LabSpec& lab, fs::path tree, bool sanitized)
    : kit_(kit),
      lab_(lab),
      tree_(std::move(tree)),
      mutated_tree_(kit.build / "mutated"),
      sanitized_(sanitized),
      scratch_build_(shared_scratch_build(kit, sanitized)) {}

void MutantTester::write_schemata(const std::vector<Mutant>& mutants) const {
  for (const std::string& file : mutated_files(lab_, tree_)) {
    write_file(mutated_tree_ / file, schemata(read_file(tree_ / file), file, mutants));
  }
}

void MutantTester::compile(std::vector<Mutant>& mutants) {
  const std::string target = "lab" + lab_.id + "_tests";
  while (true) {
    write_schemata(mutants);
    Diagnostics diagnostics;
    const Outcome built =
        scratch_build_.try_build(lab_, mutated_tree_.string(), target,
                                 [&](const std::string& line) { diagnostics.read(line); });
    if (built.ok()) break;
    if (diagnostics.mutants().empty()) {
      throw KitBroken(target + " with mutants does not build:\n" + first_error(built.output));
    }
    std::erase_if(mutants,
                  [&](const Mutant& mutant) { return diagnostics.mutants().contains(mutant.id); });
  }
}

void MutantTester::build(std::vector<Mutant>& mutants) {
  compile(mutants);
  const Times times = times_of_tests();
  rounds_ = rounds_by_time(times);
  own_rounds_ = rounds_by_file(times);
}

Outcome MutantTester::run_round(const Round& round, int mutant) const {
  Command command =
      test_command(kit_, lab_, build_tree().program("lab" + lab_.id + "_tests"),
                   join(round.tests, ":"), round.cpu_seconds,
                   {.seed = kit_.manifest.seed,
                    .sanitized = sanitized_,
                    .environment = {{"KV_MUTANT", std::to_string(mutant)}, {"KV_SHRINK", "0"}}});
  command.argv.push_back("--gtest_fail_fast");
  return run(command);
}

MutantTester::Times MutantTester::times_of_tests() const {
  Round all{{}, kFirstLimitSeconds, false};
  for (const TestSpec& test : lab_.tests) {
    if (!sanitized_ || test.group == "step") all.tests.push_back(test.name);
  }
  const Outcome outcome = run_round(all, 0);
  Times times = times_in(outcome.output);
  if (!outcome.ok() || times.size() != all.tests.size()) {
    throw KitBroken("lab " + lab_.id + " fails its tests with no mutant active:\n" +
                    outcome.output);
  }
  return times;
}

MutantTester::Round MutantTester::round_of(const Times& times, bool is_slow) {
  Round round{{}, 0, is_slow};
  for (const auto& [test, milliseconds] : times) {
    round.tests.push_back(test);
    round.cpu_seconds += kSolutionTimes * milliseconds / 1000;
  }
  round.cpu_seconds = std::max(kLeastSeconds, round.cpu_seconds);
  return round;
}

std::vector<MutantTester::Round> MutantTester::rounds_by_time(const Times& times) {
  std::vector<Round> rounds;
  double min_milliseconds = -1;
  for (const double max_milliseconds : kMaxMilliseconds) {
    Times some;
    std::ranges::copy_if(times, std::inserter(some, some.end()), [&](const auto& test) {
      return test.second > min_milliseconds && test.second <= max_milliseconds;
    });
    if (!some.empty()) rounds.push_back(round_of(some, max_milliseconds == kNoLimit));
    min_milliseconds = max_milliseconds;
  }
  return rounds;
}

std::map<std::string, MutantTester::Round> MutantTester::rounds_by_file(const Times& times) const {
  std::map<std::string, Times> times_by_file;
  for (const TestSpec& test : lab_.tests) {
    const auto time = times.find(test.name);
    if (time == times.end() || time->second > kMaxOwnMilliseconds) continue;
    times_by_file[lab_.folder + "/" + lab_.step(test.step).file].insert(*time);
  }
  std::map<std::string, Round> rounds;
  for (const auto& [file, own_times] : times_by_file) rounds[file] = round_of(own_times, false);
  return rounds;
}

bool MutantTester::survives(const Mutant& mutant, const Choice& wanted) const {
  const auto own = own_rounds_.find(mutant.file);
  if (own != own_rounds_.end() && !run_round(own->second, mutant.id).ok()) return false;
  return std::ranges::all_of(rounds_, [&](const Round& round) {
    return (round.is_slow && !wanted(mutant)) || run_round(round, mutant.id).ok();
  });
}

std::vector<Mutant> MutantTester::survivors_of(const std::vector<Mutant>& mutants,
                                               const Choice& wanted) const {
  std::vector<char> is_surviving(mutants.size());  // Why not bool: threads write neighbors
  in_parallel(mutants.size(),
              [&](std::size_t i) { is_surviving[i] = survives(mutants[i], wanted); });
  std::vector<Mutant> survivors;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (is_surviving[i] != 0) survivors.push_back(mutants[i]);
  }
  return survivors;
}

}  // namespace kv::grader::mutate
