#pragma once
// What is known of a class during a run, and what is written about it.

#include <string>
#include <vector>

#include "base/kit/kit.h"
#include "base/kit/manifest.h"
#include "grader/classroom/class/counted.h"
#include "grader/classroom/class/roster.h"
#include "grader/classroom/class/row.h"

namespace kv::grader::classroom {

// A class, as far as it is graded: all that the tables, the page and the summary are made of.
struct ClassState {
  std::vector<const LabSpec*> labs = {};  // those that are graded
  Roster roster = {};
  std::vector<std::string> submissions = {};  // their names, also of those that wait
  std::vector<Row> rows = {};                 // by name
  Keep keep = Keep::kNone;                    // which of several submissions of one person counts
  LatePolicy late = {};

  const std::vector<Person>& people() const { return roster.people; }  // empty: no roster
  // One person, or with pairs a few; none: it is nobody's.
  Owners owners(const Row& row) const { return roster.owners_of(row.name); }
  // The submissions of each person who has one; those that are nobody's are at nullptr.
  SubmissionsByOwner by_owner() const { return submissions_by_owner(roster, submissions); }
};

// The tables of a class, as CSV. No cell has a line break.

// A row for each submission, with the columns of the labs that were graded and the points as they
// are. With people: the id, name and group of each row's owner, whether it is what counts, and how
// much of it; and a line for each one who has handed in nothing.
std::string scores_csv(const ClassState& state);

// A line for each step of each submission that has a score, for programs: a lab is named by its
// folder and a step by its heading, so that none is taken for a number.
std::string steps_csv(const ClassState& state);

// For Canvas's import of grades: a column with the core points and one with the extra points, as
// they count. Who has handed in nothing has 0. A submission that waits, or could not be graded,
// leaves the grade empty: a 0 would be a wrong grade. The other columns are Canvas's own, if the
// roster is its export.
std::string canvas_csv(const ClassState& state);

// Moodle's worksheet for grading offline, which is the roster, with grades and a sentence for each
// person. What is empty there stays empty for whom nothing counts.
std::string moodle_csv(const ClassState& state);

// The class as a page, with a link to the page of each submission.

// The page has the rows that are there. kLeftOut: it has no row, to be shown to the class.
enum class Names { kShown, kLeftOut };
std::string index_page(const Kit& kit, const ClassState& state, Names names = Names::kShown);

// Beside index.html.
std::string page_file(const std::string& name);  // "students/ada.html"

}  // namespace kv::grader::classroom
