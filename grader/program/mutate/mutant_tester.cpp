#include "grader/program/mutate/mutant_tester.h"

#include <algorithm>

#include "grader/program/base/errors.h"
#include "grader/program/base/parallel.h"
#include "grader/program/mutate/schemata.h"

namespace kv::grader::mutate {
namespace {

// How long an honest run is waited for before it has shown how long it takes.
constexpr double kPatienceSeconds = 120;

// Why so few: what takes four times as long as the solution hangs, and hanging mutants are what
// this command spends its time on.
constexpr double kSolutionTimes = 4;

}  // namespace

MutantTester::MutantTester(const Kit& kit, const LabSpec& lab, fs::path tree, bool sanitized)
    : kit_(kit),
      lab_(lab),
      tree_(std::move(tree)),
      mutated_tree_(kit.build / "mutated"),
      sanitized_(sanitized),
      scratch_build_(shared_scratch_build(kit, sanitized)) {
  rounds_.resize(sanitized ? 1 : 2);
  for (const TestSpec& test : lab.tests) {
    const std::size_t place = test.group == "step" ? 0 : 1;
    if (place == rounds_.size()) continue;
    Round& round = rounds_[place];
    round.filter += (round.num_tests++ == 0 ? "" : ":") + test.name;
  }
}

void MutantTester::write_schemata(const std::vector<Mutant>& mutants) const {
  for (const std::string& name : lab_.files) {
    const std::string file = lab_.folder + "/" + name;
    write_file(mutated_tree_ / file, schemata(read_file(tree_ / file), file, mutants));
  }
}

void MutantTester::build(std::vector<Mutant>& mutants) {
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
  for (Round& round : rounds_) measure(round);
}

Outcome MutantTester::run_round(const Round& round, int mutant) const {
  Command command = test_command(kit_, build_tree().program("lab" + lab_.id + "_tests"),
                                 round.filter, round.cpu_seconds,
                                 {.seed = kit_.manifest.seed,
                                  .sanitized = sanitized_,
                                  .environment = {{"KV_MUTANT", std::to_string(mutant)}}});
  command.argv.push_back("--gtest_fail_fast");
  return run(command);
}

void MutantTester::measure(Round& round) const {
  round.cpu_seconds = kPatienceSeconds;
  const Outcome outcome = run_round(round, 0);
  const std::string passed = "[  PASSED  ] " + std::to_string(round.num_tests) + " test";
  if (!outcome.ok() || outcome.output.find(passed) == std::string::npos) {
    throw KitBroken("lab " + lab_.id + " fails its tests with no mutant active:\n" +
                    outcome.output);
  }
  round.cpu_seconds = std::max(1.0, kSolutionTimes * outcome.seconds);
}

std::vector<Mutant> MutantTester::survivors_of(const std::vector<Mutant>& mutants) const {
  std::vector<char> survives(mutants.size());  // Why not bool: threads write neighbors
  in_parallel(mutants.size(), [&](std::size_t i) {
    survives[i] = std::ranges::all_of(
        rounds_, [&](const Round& round) { return run_round(round, mutants[i].id).ok(); });
  });
  std::vector<Mutant> survivors;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    if (survives[i] != 0) survivors.push_back(mutants[i]);
  }
  return survivors;
}

}  // namespace kv::grader::mutate
