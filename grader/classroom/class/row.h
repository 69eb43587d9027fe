#pragma once
// What is known about one submission of a class. It is one JSON file, written when it is graded.

#include <map>
#include <string>
#include <vector>

#include "base/kit/json.h"
#include "base/kit/manifest.h"
#include "grader/engine/submission/submission.h"

namespace kv::grader::classroom {

// How the problem of a row begins that was stopped.
inline constexpr const char* kStopped = "stopped after ";

// What an earlier grading of a submission said; its row is in history/.
struct EarlierGrade {
  int score;
  int extra;
  std::string date;  // "2026-11-28T12:00:00Z"
};

struct Row {
  std::string name;
  Origin origin = {};              // where it was handed in
  std::string source_digest = {};  // digest over the files that were handed in, as they were mapped
  std::map<std::string, std::string> lab_digests = {};  // digest of each lab's files, by its id
  std::string kit_digest = {};                          // digest of all that can change a score
  std::string problem = {};                             // why it is not graded, or not to the end
  std::vector<std::string> notes = {};                  // how its files were found
  double seconds = 0;                                   // wall clock
  std::vector<EarlierGrade> earlier = {};               // the oldest first
  Json report = nullptr;  // as of ./lab grade --json; null: there is none
  std::string page = {};  // as of ./lab grade --html, if it was graded now

  bool has_score() const { return report.is_object(); }
  int score() const { return has_score() ? report["score"].get<int>() : 0; }
  int extra() const { return has_score() ? report["extra"].get<int>() : 0; }
  const Json* lab(const std::string& id) const;  // the lab in the report; nullptr: not graded
  std::string note() const;                      // the problem, the notes and the earlier grades
  std::string history() const;  // "graded before: 80 +3 on 2026-..."; empty: no other points
  bool was_graded_again() const { return !page.empty() && !earlier.empty(); }  // in this run
  std::size_t num_flags() const;
  bool was_stopped() const;  // the time of the whole submission was up
};

std::string points_text(int score, int extra);  // "80 +3"

// The first line of why a lab of a report does not compile.
std::string first_error_of(const Json& lab);

// "1.4 append: 15 tests fail; ...": of a lab of a report, by the step to fix.
std::string failures_of(const Json& lab);

// Throws UsageError: no such file, or not one of these.
Row load_row(const fs::path& file);
void save_row(const Row& row, const fs::path& file);

}  // namespace kv::grader::classroom
