#include "grader/classroom/class/roster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <utility>

#include "base/text/errors.h"

namespace kv::grader::classroom {
namespace {

bool is_letter_or_digit(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_letter_or_digit(text[at - 1]);
    if (begins && (end == text.size() || !is_letter_or_digit(text[end]))) return true;
  }
  return false;
}

constexpr std::size_t kMostPartners = 3;

// What each kind of roster calls an id, a name and a group; the last is none of Moodle's.
struct Head {
  RosterKind kind;
  std::string id;
  std::string name;
  std::string group;
};

// Canvas has two forms; in the second a name has two columns.
const std::array<Head, 3> kServices = {{{RosterKind::kCanvas, "ID", "Student", "Section"},
                                        {RosterKind::kCanvas, "ID", "LastName", "Section"},
                                        {RosterKind::kMoodle, "Identifier", "Full name", "Group"}}};

bool has_column(const CsvLine& columns, const std::string& name) {
  return std::ranges::count(columns, name) > 0;
}

bool is_own_head(CsvLine columns) {
  if (!columns.empty() && columns.back() == "hours_late") columns.pop_back();
  return columns == CsvLine{"id", "name"} || columns == CsvLine{"id", "name", "group"};
}

// Throws UsageError.
Head head_of(const CsvLine& columns, const std::string& file) {
  if (is_own_head(columns)) return {RosterKind::kOwn, "id", "name", "group"};
  for (const Head& head : kServices)
    if (has_column(columns, head.id) && has_column(columns, head.name)) return head;
  throw UsageError(file +
                   ": the first line has to be \"id,name\", and may go on with \",group\" and with "
                   "\",hours_late\"; or the file is an export of Canvas's grades, or Moodle's "
                   "worksheet for grading offline");
}

// Throws UsageError.
double hours_in(const std::string& text, const std::string& where) {
  static const std::regex pattern(R"((?:[0-9]{1,5}(?:\.[0-9]{1,4})?)?)");
  if (!std::regex_match(text, pattern))
    throw UsageError(where + "hours_late is \"" + text + "\"; write a number, as 30 or 1.5");
  return text.empty() ? 0 : std::stod(text);
}

// "Participant 20021" -> "20021": what Moodle puts into the name of what was handed in.
std::string number_at_end(const std::string& text) {
  return text.substr(text.find_last_not_of("0123456789") + 1);
}

// Canvas writes lines below the first one that are no people: "    Points Possible".
bool is_person(const Roster& roster, const CsvLine& line) {
  return roster.kind != RosterKind::kCanvas || !roster.field(line, "ID").empty();
}

Person person_of(const Roster& roster, const Head& head, const CsvLine& line) {
  Person person{.id = roster.field(line, head.id),
                .name = roster.field(line, head.name),
                .group = roster.field(line, head.group),
                .line = line};
  if (head.name == "LastName") person.name += ", " + roster.field(line, "FirstName");
  if (roster.kind == RosterKind::kMoodle) person.id = number_at_end(person.id);
  const std::string sis_id = roster.field(line, "SIS User ID");
  if (roster.kind == RosterKind::kCanvas && !sis_id.empty())
    person.other_id = std::exchange(person.id, sis_id);
  return person;
}

// "00406" and "406" are one number.
std::string without_zeros(const std::string& id) {
  const bool is_number = id.find_first_not_of("0123456789") == id.npos;
  return is_number ? id.substr(std::min(id.find_first_not_of('0'), id.size())) : id;
}

bool owns(const Person& person, const std::string& submission) {
  return has_word(submission, person.id) ||
         (!person.other_id.empty() && has_word(submission, person.other_id));
}

}  // namespace

std::string Roster::field(const CsvLine& line, const std::string& column) const {
  const auto found = std::ranges::find(columns, column);
  const auto at = static_cast<std::size_t>(found - columns.begin());
  return found == columns.end() || at >= line.size() ? "" : line[at];
}

Roster load_roster(const fs::path& file) {
  const std::vector<CsvLine> lines = parse_csv(read_file(file), file.string());
  Roster roster{.columns = lines.empty() ? CsvLine{} : lines.front()};
  const Head head = head_of(roster.columns, file.string());
  roster.kind = head.kind;
  std::set<std::string> ids;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const CsvLine& line = lines[i];
    if (!is_person(roster, line)) continue;
    const std::string where = file.string() + ", person " + std::to_string(i) + ": ";
    Person person = person_of(roster, head, line);
    if (line.size() != roster.columns.size() || person.id.empty())
      throw UsageError(where + "expected " + join(roster.columns, ",") + ", and an id");
    if (!ids.insert(person.id).second)
      throw UsageError(where + "the id " + person.id + " is there twice");
    if (has_column(roster.columns, "hours_late"))
      person.hours_late = hours_in(roster.field(line, "hours_late"), where);
    roster.people.push_back(std::move(person));
  }
  return roster;
}

Owners Roster::owners_of(const std::string& submission) const {
  const auto exact = std::ranges::find(people, submission, &Person::id);
  if (exact != people.end()) return {&*exact};
  Owners owners;
  for (const Person& person : people)
    if (owns(person, submission)) owners.push_back(&person);
  const bool is_of_one = owners.size() == 1 || (has_pairs && owners.size() <= kMostPartners);
  return is_of_one ? owners : Owners{};
}

std::string of_all(const Owners& owners, std::string Person::*field) {
  std::vector<std::string> texts;
  for (const Person* person : owners) texts.push_back(person->*field);
  if (std::ranges::all_of(texts, [&](const std::string& text) { return text == texts.front(); }))
    return texts.empty() ? "" : texts.front();
  return join(texts, " and ");
}

std::string why_nobodys(const std::vector<Person>& people, const std::string& submission) {
  std::string why = kWhyNobodys;
  static const std::regex number("[0-9]+");
  for (auto found = std::sregex_iterator(submission.begin(), submission.end(), number);
       found != std::sregex_iterator(); ++found) {
    for (const Person& person : people)
      if (person.id != found->str() && without_zeros(person.id) == without_zeros(found->str()))
        why += "; " + found->str() + " may be " + person.id + ", of " + person.name +
               ", with other zeros";
  }
  return why;
}

SubmissionsByOwner submissions_by_owner(const Roster& roster,
                                        const std::vector<std::string>& submissions) {
  SubmissionsByOwner by_owner;
  for (const std::string& submission : submissions) {
    const Owners owners = roster.owners_of(submission);
    if (owners.empty()) by_owner[nullptr].push_back(submission);
    for (const Person* owner : owners) by_owner[owner].push_back(submission);
  }
  return by_owner;
}

std::vector<const Person*> people_without(const std::vector<Person>& people,
                                          const SubmissionsByOwner& by_owner) {
  std::vector<const Person*> others;
  for (const Person& person : people) {
    if (!by_owner.contains(&person)) others.push_back(&person);
  }
  return others;
}

}  // namespace kv::grader::classroom
