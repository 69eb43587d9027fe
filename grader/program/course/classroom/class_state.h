#pragma once
// A class, as far as it is graded: all that the tables, the page and the summary are made of.

#include <string>
#include <vector>

#include "grader/program/base/kit/manifest.h"
#include "grader/program/course/classroom/roster.h"
#include "grader/program/course/classroom/row.h"

namespace kv::grader::classroom {

struct ClassState {
  std::vector<const LabSpec*> labs = {};      // those that are graded
  std::vector<Person> people = {};            // empty: there is no roster
  std::vector<std::string> submissions = {};  // their names, also of those that wait
  std::vector<Row> rows = {};                 // by name

  const Person* owner(const Row& row) const { return owner_of(people, row.name); }
  // The submissions of each person who has one; those that are nobody's are at nullptr.
  SubmissionsByOwner by_owner() const { return submissions_by_owner(people, submissions); }
};

}  // namespace kv::grader::classroom
