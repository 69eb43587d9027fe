#pragma once
// Who is in the class.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text/text.h"

namespace kv::grader::classroom {

struct Person {
  std::string id;
  std::string name;
  std::string group = {};
  // What counts was handed in so long after the deadline; none: the roster does not say.
  std::optional<double> hours_late = {};
};

// A CSV file with a line "id,name,group,hours_late"; the last two may be missing, and hours_late
// may be empty for a person. Throws UsageError: it is none, a line lacks a field, an id is there
// twice, or hours_late is no number.
std::vector<Person> load_roster(const fs::path& file);

// Whose submission it is: its name is the id, or has it between characters that are neither letters
// nor digits, as in "lovelace_12345_lab01". nullptr: nobody's, or that of more than one.
const Person* owner_of(const std::vector<Person>& people, const std::string& submission);

// The submissions of each person who has one; those that are nobody's are at nullptr.
using SubmissionsByOwner = std::map<const Person*, std::vector<std::string>>;
SubmissionsByOwner submissions_by_owner(const std::vector<Person>& people,
                                        const std::vector<std::string>& submissions);

// Those who own no submission.
std::vector<const Person*> people_without(const std::vector<Person>& people,
                                          const SubmissionsByOwner& by_owner);

}  // namespace kv::grader::classroom
