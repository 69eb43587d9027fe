#include "grader/classroom/class/roster.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "base/kit/csv.h"
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

bool is_head(CsvLine columns) {
  if (!columns.empty() && columns.back() == "hours_late") columns.pop_back();
  return columns == CsvLine{"id", "name"} || columns == CsvLine{"id", "name", "group"};
}

// Throws UsageError.
double hours_in(const std::string& text, const std::string& where) {
  static const std::regex pattern(R"((?:[0-9]{1,5}(?:\.[0-9]{1,4})?)?)");
  if (!std::regex_match(text, pattern))
    throw UsageError(where + "hours_late is \"" + text + "\"; write a number, as 30 or 1.5");
  return text.empty() ? 0 : std::stod(text);
}

}  // namespace

std::vector<Person> load_roster(const fs::path& file) {
  const std::vector<CsvLine> lines = parse_csv(read_file(file), file.string());
  const CsvLine columns = lines.empty() ? CsvLine{} : lines.front();
  if (!is_head(columns)) {
    throw UsageError(file.string() +
                     ": the first line has to be \"id,name\", and may go on with \",group\" and "
                     "with \",hours_late\"");
  }
  std::vector<Person> people;
  std::set<std::string> ids;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const CsvLine& line = lines[i];
    const std::string where = file.string() + ", person " + std::to_string(i) + ": ";
    if (line.size() != columns.size() || line[0].empty())
      throw UsageError(where + "expected " + join(columns, ",") + ", and an id");
    if (!ids.insert(line[0]).second)
      throw UsageError(where + "the id " + line[0] + " is there twice");
    people.push_back({line[0], line[1]});
    for (std::size_t k = 2; k < columns.size(); ++k) {
      if (columns[k] == "group") people.back().group = line[k];
      if (columns[k] == "hours_late") people.back().hours_late = hours_in(line[k], where);
    }
  }
  return people;
}

const Person* owner_of(const std::vector<Person>& people, const std::string& submission) {
  const auto exact = std::ranges::find(people, submission, &Person::id);
  if (exact != people.end()) return &*exact;
  const Person* owner = nullptr;
  for (const Person& person : people) {
    if (!has_word(submission, person.id)) continue;
    if (owner != nullptr) return nullptr;
    owner = &person;
  }
  return owner;
}

SubmissionsByOwner submissions_by_owner(const std::vector<Person>& people,
                                        const std::vector<std::string>& submissions) {
  SubmissionsByOwner by_owner;
  for (const std::string& submission : submissions)
    by_owner[owner_of(people, submission)].push_back(submission);
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
