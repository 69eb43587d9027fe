#pragma once
// Who is in the class.

#include <string>
#include <vector>

#include "grader/program/base/text.h"
#include "grader/program/classroom/row.h"

namespace kv::grader::classroom {

struct Person {
  std::string id;
  std::string name;
  std::string group = {};
};

// A CSV file with a line "id,name,group"; group may be missing. Throws UsageError: it is none, a
// line lacks a field, or an id is there twice.
std::vector<Person> load_roster(const fs::path& file);

// Whose submission it is: its name is the id, or has it between characters that are neither letters
// nor digits, as in "lovelace_12345_lab01". nullptr: nobody's, or that of more than one.
const Person* owner_of(const std::vector<Person>& people, const std::string& submission);

// Those who own no row.
std::vector<const Person*> without_row(const std::vector<Person>& people,
                                       const std::vector<Row>& rows);

// For Canvas's import of grades: one column with the core and extra points together. People without
// a submission have an empty grade.
std::string canvas_csv(const std::vector<Person>& people,
                       const std::vector<Row>& rows,
                       int max_points);

}  // namespace kv::grader::classroom
