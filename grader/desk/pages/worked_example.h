#pragma once
// Event logs: docs/dev/story.md is their form. One is read from a file, or is the worked example of
// a lab.

#include <optional>
#include <string>

#include "base/text/text.h"
#include "grader/desk/predict/predict_programs.h"

namespace kv::grader::pages {

struct EventLog {
  std::string lines;          // an object a line
  std::size_t num_calls = 0;  // the start is none
};

// Leaves out a last line that is cut off: a log can be read while it is written. Throws UsageError:
// the file is no event log; with the line that is wrong.
EventLog read_event_log(const fs::path& file);

// The worked example of a lab's README as an event log: its script, run by the lab's predict
// program on the solution.

// A line is a call of the predict program, then "|" and why the engine makes it.
struct ExampleLine {
  std::string call;
  std::string why;
};

// None if the lab has no such script, labs/NN-name/tests/worked_example.txt.
std::vector<ExampleLine> worked_example(const Kit& kit, const LabSpec& lab);

// Throws KitBroken: a line cannot be run.
EventLog log_of_example(const std::vector<ExampleLine>& example, const PredictPrograms& programs);

// The page of a lab's worked example. Throws UsageError: it has none.
void write_example_page(const Kit& kit, const LabSpec& lab, const fs::path& file);

}  // namespace kv::grader::pages
