#pragma once
// Who is in the class.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/kit/csv.h"
#include "base/text/text.h"

namespace kv::grader::classroom {

// Points by hand.
struct ByHand {
  bool is_change = false;  // "+5", in place of "90"
  double points = 0;       // core points
};

struct Person {
  std::string id;
  std::string name;
  std::string group = {};
  // What counts was handed in so long after the deadline; none: the roster does not say.
  std::optional<double> hours_late = {};
  std::string other_id = {};  // Canvas's own, where `id` is the SIS id
  CsvLine line = {};          // as the roster has it, from Canvas or Moodle
  std::optional<ByHand> by_hand = {};
  std::vector<std::string> decisions = {};  // what was decided by hand, with the reasons
};

enum class RosterKind { kOwn, kCanvas, kMoodle };

using Owners = std::vector<const Person*>;

struct Roster {
  std::vector<Person> people = {};  // empty: there is no roster
  RosterKind kind = RosterKind::kOwn;
  CsvLine columns = {};
  bool has_pairs = false;  // a name with the ids of two people is a work of both

  // A field of a line; empty if there is no such column.
  std::string field(const CsvLine& line, const std::string& column) const;

  // Whose submission it is: its name is an id, or has it between characters that are neither
  // letters nor digits, as in "lovelace_12345_lab01". Empty: nobody's. A name with the ids of more
  // than one is that too, unless there are pairs.
  Owners owners_of(const std::string& submission) const;
};

// A CSV file with a line "id,name,group,hours_late"; the last two may be missing, and hours_late
// may be empty for a person. Or Canvas's export of grades, or Moodle's worksheet for grading
// offline, as they are. Throws UsageError: it is none, a line lacks a field, an id is there twice,
// or hours_late is no number.
Roster load_roster(const fs::path& file);

// "20026 and 20027", of a field of all owners.
std::string of_all(const Owners& owners, std::string Person::*field);

inline constexpr const char* kWhyNobodys = "its name has no id of the roster, or more than one";

// The same, and who it may be of: an id that has lost its zeros.
std::string why_nobodys(const std::vector<Person>& people, const std::string& submission);

// The submissions of each person who has one; those that are nobody's are at nullptr.
using SubmissionsByOwner = std::map<const Person*, std::vector<std::string>>;
SubmissionsByOwner submissions_by_owner(const Roster& roster,
                                        const std::vector<std::string>& submissions);

// Those who own no submission.
std::vector<const Person*> people_without(const std::vector<Person>& people,
                                          const SubmissionsByOwner& by_owner);

}  // namespace kv::grader::classroom
