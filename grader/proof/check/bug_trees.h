#pragma once

#include <set>

#include "grader/engine/cause/cause.h"
#include "grader/engine/grading/signatures.h"
#include "grader/engine/variations/scratch_build.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/joint_tree.h"

namespace kv::grader {

// The known bugs of a lab and their near misses, to be graded one by one. Where a bug changes only
// bodies of functions, it is built together with all others of this kind (joint_tree.h). The few
// others get a tree of their own.
class BugTrees {
 public:
  // Which tests run. Random histories never do unless the bug names one: they take most of the
  // time. kExpected leaves out slow tests, too, unless a signature says that they fail, and tests
  // that reach their time limit, unless the bug names them. kFailing leaves out all tests that are
  // expected to pass, unless the bug lists all that fail.
  enum class Tests { kAll, kExpected, kFailing };

  // The work that has the bug: the solution, or what has the core points alone. In the second one
  // there are only the bugs whose lines it has.
  enum class Work { kSolution, kCoreOnly };

  BugTrees(const Kit& kit,
           const LabSpec& lab,
           Tests tests,
           Work work = Work::kSolution);  // throws KitBroken

  // Those of the common build come first.
  const std::vector<Variation>& bugs() const { return bugs_; }

  // bug: an index. build: the same for all. how: of the search for the causes of its failures;
  // nullopt: there is none. The result is valid until the next call.
  LabResult grade(std::size_t bug,
                  ScratchBuild& build,
                  const std::optional<cause::SearchOptions>& how);

 private:
  // The program of the search for causes, none of kernels.
  struct Mixed {
    cause::MixedProgram program;
    std::vector<cause::Unit> units;
  };

  bool add_to(JointTree& common, const Variation& bug) const;
  bool add_core_only(JointTree& common, const Variation& bug) const;  // kCoreOnly
  void build_common(ScratchBuild& build);
  void build_mixed(ScratchBuild& build);
  std::vector<TestResult> run_in_common(std::size_t bug, ScratchBuild& build);
  bool is_graded(const Variation& bug, const TestSpec& test) const;
  bool is_expected_to_fail(const Variation& bug, const TestSpec& test) const;
  const std::string* message_written_for(const Variation& bug, const TestSpec& test) const;
  RunOptions options_for(std::size_t bug) const;

  const Kit& kit_;
  const LabSpec& lab_;
  Tests tests_;
  Work work_;
  LabSpec graded_;  // with the tests of the bug at hand
  fs::path common_tree_;
  std::map<std::string, std::string> core_only_texts_ = {};  // [file]; kCoreOnly
  std::vector<Variation> bugs_ = {};
  std::size_t num_in_common_ = 0;
  std::map<std::string, Signature> signatures_ = {};  // what is written of each bug
  std::set<std::string> slow_tests_ = {};
  bool is_common_built_ = false;     // and nothing else after it
  std::optional<Mixed> mixed_ = {};  // made from the common build by the first search
};

}  // namespace kv::grader
