#pragma once
// The table of a lab: a row for each step, and one for the random histories. The screen, the files,
// the pages, ./lab list and ./lab watch show what is here.

#include <string>
#include <vector>

#include "base/kit/json.h"
#include "grader/engine/grading/results.h"

namespace kv::grader {

enum class RowKind {
  kNotStarted,
  kWaits,  // for another step: one that is not written, or is wrong
  kOk,
  kInProgress,  // its first parts are ok
  kWrong
};

struct TableRow {
  const StepSpec* step;  // nullptr: the random histories
  RowKind kind;
  std::string state;  // "ok", "part 3 wrong", "fails through 4.7"
  StepTally core;
  StepTally extra;

  std::string heading() const { return step == nullptr ? "random histories" : step->heading(); }
};

// The row of a right step says so even if its tests fail: then another step is at fault.
TableRow row_of(const LabResult& lab, const StepSpec& step);

// The steps with core tests, the histories, the other steps. Each has one row.
std::vector<TableRow> table_of(const LabResult& lab);

// The table as both the JSON report and the page have it.
Json json_of_table(const LabResult& lab);

}  // namespace kv::grader
