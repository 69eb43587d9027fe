#pragma once
// Grades one submission after the other in a build folder of its own, in which the kit's objects
// are compiled once. The grading, with its compiler and its tests, reads the kit, the system and
// this submission, and writes into a build folder; nothing else.

#include <optional>

#include "base/kit/kit.h"
#include "base/process/process.h"
#include "grader/classroom/class/row.h"
#include "grader/desk/handed_in/handed_in.h"

namespace kv::grader::classroom {

struct GradingTerms {
  std::vector<std::string> labs;  // empty: all
  std::uint64_t seed;
  double wall_seconds;     // for one submission
  std::string kit_digest;  // digest of all that can change a score
};

class Worker {
 public:
  // folder: inside kit.build.
  Worker(const Kit& kit, const fs::path& folder, const GradingTerms& terms);

  // What was handed in, found and mapped, without a report.
  Row collect(const HandedIn& handed_in);

  // Adds the report, or the problem, to the row that collect made last. The first time, it compiles
  // what all submissions share, by grading the solution. Throws KitBroken or MachineFailed where
  // that is not possible.
  // Returns the exit code of the grading, kExitGraded also where it was stopped or had no file.
  int grade(Row& row);

  bool is_prepared() const { return is_prepared_; }

  // From now on, what an earlier process has prepared in the folder counts. For a kit that nobody
  // changes between two submissions.
  void keep_preparation() { is_prepared_ = fs::exists(mark()); }

 private:
  bool has_solution() const;
  std::string problem_of(const MappedTree& mapped) const;
  void prepare();
  fs::path mark() const { return build_ / "prepared"; }
  std::vector<std::string> left_out(const Row& row) const;
  std::string report_text(const char* file, const char* otherwise) const;
  Outcome run_grade(const std::string& tree,
                    const Origin& origin,
                    std::optional<double> wall_seconds) const;

  const Kit& kit_;
  fs::path folder_;
  fs::path build_;
  const GradingTerms& terms_;
  bool is_prepared_ = false;
};

}  // namespace kv::grader::classroom
