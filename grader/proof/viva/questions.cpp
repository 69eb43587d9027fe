#include <algorithm>
#include <random>
#include <set>

#include "grader/engine/report/drawn_scripts.h"
#include "grader/engine/variations/scratch_build.h"
#include "grader/proof/mutate/mutant_tester.h"
#include "grader/proof/viva/viva.h"

namespace kv::grader::viva {
namespace {

using mutate::Mutant;

constexpr std::size_t kMostCompiled = 24;
constexpr std::size_t kMostLines = 9;  // a student writes the states of a script on paper
constexpr int kMostDrawn = 60;
constexpr double kCpuSeconds = 2;

// Runs the quick tests of a lab on one changed place after the other.
class Changes {
 public:
  Changes(const Kit& kit, const LabSpec& lab, const fs::path& tree)
      : kit_(kit),
        lab_(lab.with_tests([](const TestSpec& test) { return !test.is_history(); })),
        tester_(kit, lab, tree, false) {}

  void compile(std::vector<Mutant>& mutants) {
    tester_.compile(mutants);
    program_ = tester_.build_tree().program("lab" + lab_.id + "_tests");
    for (const TestResult& test : results_of(0))
      if (test.verdict.status != Status::kPass) failing_before_.insert(test.spec->name);
  }

  // The tests that fail with the change and pass without it, in the order of the score sheet.
  std::vector<TestResult> broken_by(const Mutant& mutant) const {
    std::vector<TestResult> broken = results_of(mutant.id);
    std::erase_if(broken, [&](const TestResult& test) {
      return test.verdict.status == Status::kPass || failing_before_.contains(test.spec->name);
    });
    return broken;
  }

 private:
  std::vector<TestResult> results_of(int mutant) const {
    RunOptions options{.seed = kit_.manifest.seed};
    options.environment = {{"KV_MUTANT", std::to_string(mutant)}, {"KV_SHRINK", "0"}};
    std::vector<TestResult> results;
    for (const TestSpec& test : lab_.tests)
      results.push_back(run_test(kit_, lab_, program_, test, kCpuSeconds, options));
    return results;
  }

  const Kit& kit_;
  LabSpec lab_;
  mutate::MutantTester tester_;
  fs::path program_ = {};
  std::set<std::string> failing_before_ = {};
};

std::string without_margins(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return "";
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

// Those of lines that the stubs do not have: what was given, nobody has to explain.
std::vector<Mutant> own_mutants(const Kit& kit, const LabSpec& lab, const fs::path& tree) {
  std::set<std::string> given;
  for (const std::string& file : lab.files)
    for (const std::string& line : split_lines(read_file(kit.root / "starter" / lab.folder / file)))
      given.insert(without_margins(line));
  std::vector<Mutant> mutants = mutate::mutants_of(lab, tree);
  std::erase_if(mutants, [&](const Mutant& mutant) {
    return std::ranges::all_of(
        mutant.original, [&](const auto& line) { return given.contains(without_margins(line)); });
  });
  return mutants;
}

bool takes_a_line_out(const Mutant& mutant) {
  return std::ranges::all_of(mutant.mutated, [](const std::string& line) {
    return line.empty() || line == ";" || line == "{}";
  });
}

Question question_on(const Mutant& mutant, const std::vector<TestResult>& broken) {
  const TestResult& first = broken.front();
  Question question{.text = "In " + mutant.function + ", line " + std::to_string(mutant.line) +
                            " of " + fs::path(mutant.file).filename().string()};
  question.code = mutant.original;
  if (takes_a_line_out(mutant)) {
    question.text += ": what is this line for? If it is taken out, which test fails first?";
  } else {
    question.text += ": it is changed. What does the code do now, and which test fails first?";
    question.code.insert(question.code.end(), {"becomes"});
    question.code.insert(question.code.end(), mutant.mutated.begin(), mutant.mutated.end());
  }
  question.answer = {first.spec->name + " (step " + first.spec->step + ")"};
  if (!first.verdict.headline.empty()) question.answer.push_back(first.verdict.headline);
  if (broken.size() > 1)
    question.answer.push_back("and " + std::to_string(broken.size() - 1) + " more");
  return question;
}

// Why not std::ranges::shuffle: each standard library has its own.
void shuffle(std::vector<Mutant>& mutants, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t num_left = mutants.size(); num_left > 1; --num_left)
    std::swap(mutants[num_left - 1], mutants[random() % num_left]);
}

// Does the same test fail, with the same words, when it is run again?
bool is_certain(const Changes& changes, const Mutant& mutant, const TestResult& first) {
  const std::vector<TestResult> again = changes.broken_by(mutant);
  return !again.empty() && again.front().spec->name == first.spec->name &&
         again.front().verdict.headline == first.verdict.headline;
}

}  // namespace

std::vector<Question> questions_on_changes(const Kit& kit,
                                           const LabSpec& lab,
                                           const fs::path& tree,
                                           std::uint64_t seed,
                                           std::size_t count) {
  std::vector<Mutant> mutants = own_mutants(kit, lab, tree);
  shuffle(mutants, seed);
  std::ranges::stable_partition(mutants, takes_a_line_out);
  if (mutants.size() > kMostCompiled) mutants.resize(kMostCompiled);
  std::vector<Question> questions;
  if (mutants.empty()) return questions;

  Changes changes(kit, lab, tree);
  changes.compile(mutants);
  std::set<std::string> functions;
  for (const Mutant& mutant : mutants) {
    if (questions.size() == count) break;
    if (functions.contains(mutant.function)) continue;
    const std::vector<TestResult> broken = changes.broken_by(mutant);
    if (broken.empty() || !is_certain(changes, mutant, broken.front())) continue;
    functions.insert(mutant.function);
    questions.push_back(question_on(mutant, broken));
  }
  return questions;
}

std::vector<Question> questions_on_calls(const Kit& kit,
                                         const LabSpec& lab,
                                         const fs::path& tree,
                                         std::uint64_t seed,
                                         std::size_t count) {
  std::vector<Question> questions;
  DrawnScripts scripts(kit, lab, seed);
  if (scripts.empty()) return questions;

  ScratchBuild build = shared_scratch_build(kit);
  const fs::path program = build.build(lab, tree.string(), "lab" + lab.id + "_predict");
  std::set<std::string> asked;
  for (int i = 0; i < kMostDrawn && questions.size() < count; ++i) {
    const Script script = scripts.next();
    const std::string text = join(script, "\n");
    const Outcome outcome = run(isolated_command(kit, lab, {program.string(), text}, 2, {}));
    const std::vector<std::string> printed = split_lines(printable(outcome.output));
    const bool is_good = outcome.ok() && script.size() > 3 && script.size() <= kMostLines &&
                         printed.size() > 1 && asked.insert(text).second;
    if (is_good)
      questions.push_back({.text = "What does your code print for these calls, and why?",
                           .code = script,
                           .answer = printed});
  }
  return questions;
}

}  // namespace kv::grader::viva
