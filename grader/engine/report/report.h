#pragma once
// Prints the results of a grading run: on the terminal, and as files.

#include <string>

#include "base/kit/json.h"
#include "grader/engine/grading/records.h"
#include "grader/engine/grading/table.h"

namespace kv::grader {

// What a person should read about one failing test, but for its story; a part may be empty.
struct FailureParts {
  std::string step;       // "step 4.6 allocate_slots, part 3, Hits; fails through 4.5"
  std::string spec;       // what the test checks
  std::string wrong;      // what went wrong
  std::string cause;      // or, of the first failure, why none was found
  std::string diagnosis;  // the first failure has it: "looks like: ..."
  std::string read, hint;
};
FailureParts failure_parts(const LabResult& lab, const TestResult& test);

// All of it, and the story.
std::string failure_text(const LabResult& lab, const TestResult& test);

// What to do now: what to write or to fix, or how to compare and which of these labs comes next.
std::string next_lines(const LabResult& lab,
                       const Submission& submission,
                       const std::vector<const LabSpec*>& labs);

// Rows of the scoreboard: of a lab, and one of its table.
std::string lab_row(const LabResult& lab);
std::string table_row(const TableRow& row);

// What a person should read below the scores. Of the failing tests only the first, and a line that
// names what shows the others; if that is empty, all.
std::string findings_text(const LabResult& lab, const std::string& shows_others);

void print_header(const Submission& submission);
void print_lab_row(const LabResult& lab);
// The table, and the findings. They come after the points, which are on the screen while causes
// are searched: a row says through which step it fails.
void print_findings(const LabResult& lab, bool all);  // all: every failing test
void print_next(const std::string& lines);            // and nothing after it
void print_total(const Report& report);

inline constexpr std::size_t kMaxReportedBytes = 8 * 1024;     // one test's output in a file
void write_json(const Report& report, const fs::path& path);   // throws MachineFailed
void write_junit(const Report& report, const fs::path& path);  // throws MachineFailed

// The story of a failing test as JSON; docs/dev/story.md is its schema. null if there is none.
Json json_of(const Story& story);

// Text in a color of the terminal; as it is where standard output is no terminal.
std::string green(const std::string& text);
std::string red(const std::string& text);
std::string bold(const std::string& text);

// From now on in color: what is printed reaches a terminal, though not directly.
void print_in_color();

}  // namespace kv::grader
