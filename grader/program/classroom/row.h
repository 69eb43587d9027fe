#pragma once
// What is known about one submission of a class. It is one JSON file, written when it is graded.

#include <string>
#include <vector>

#include "grader/program/base/json.h"
#include "grader/program/kit/manifest.h"
#include "grader/program/submission/origin.h"

namespace kv::grader::classroom {

struct Row {
  std::string name;
  Origin origin = {};                   // where it was handed in
  std::string source_digest = {};       // of the files that were handed in, as they were mapped
  std::string kit_digest = {};          // of what grades
  std::string problem = {};             // why it is not graded, or not to the end
  std::vector<std::string> notes = {};  // how its files were found
  double seconds = 0;                   // wall clock
  Json report = nullptr;                // as of ./lab grade --json; null: there is none
  std::string page = {};                // as of ./lab grade --html, if it was graded now

  bool has_score() const { return report.is_object(); }
  int score() const { return has_score() ? report["score"].get<int>() : 0; }
  int extra() const { return has_score() ? report["extra"].get<int>() : 0; }
  const Json* lab(const std::string& id) const;  // of the report; nullptr: not graded
  std::string note() const;                      // the problem and the notes
  std::size_t num_flags() const;
};

// Throws UsageError: no such file, or not one of these.
Row load_row(const fs::path& file);
void save_row(const Row& row, const fs::path& file);

struct Person;

// A table of all rows, with the columns of the labs that were graded. With people: the id, name and
// group of each row's owner, and a line for each one who has handed in nothing.
std::string csv_of(const std::vector<const LabSpec*>& labs,
                   const std::vector<Person>& people,
                   const std::vector<Row>& rows);

}  // namespace kv::grader::classroom
