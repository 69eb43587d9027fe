#include "grader/program/classroom/row.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/program/base/errors.h"
#include "grader/program/classroom/csv.h"
#include "grader/program/classroom/roster.h"

namespace kv::grader::classroom {
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kShownDigits = 12;  // of a digest
constexpr std::array kProvenanceColumns = {"kit",     "commit", "score_sheet", "compiler",
                                           "options", "date",   "seed",        "isolation"};

std::string joined(const Json& texts) {
  return join(texts.get<std::vector<std::string>>(), "; ");
}

// The diagnoses and the flags of all labs, each with its lab.
std::string by_lab(const Row& row, const char* key) {
  std::vector<std::string> parts;
  if (!row.has_score()) return "";
  for (const Json& lab : row.report["labs"]) {
    const std::string text = lab[key].is_array() ? joined(lab[key]) : lab[key].get<std::string>();
    if (!text.empty()) parts.push_back(lab["id"].get<std::string>() + ": " + text);
  }
  return join(parts, "; ");
}

CsvLine columns(const std::vector<const LabSpec*>& labs, bool has_people) {
  CsvLine names = {"submission"};
  if (has_people) names.insert(names.end(), {"id", "name", "group"});
  names.insert(names.end(), {"score", "extra"});
  for (const LabSpec* lab : labs) {
    for (const char* what : {"lab", "extra", "state"}) names.push_back(what + lab->id);
  }
  names.insert(names.end(), {"diagnosis", "flags", "note", "digest", "seconds"});
  names.insert(names.end(), kProvenanceColumns.begin(), kProvenanceColumns.end());
  return names;
}

void add_person(const Person* person, CsvLine& line) {
  const Person& shown = person == nullptr ? Person{} : *person;
  line.insert(line.end(), {shown.id, shown.name, shown.group});
}

// What the report was made with.
void add_provenance(const Row& row, CsvLine& line) {
  if (!row.has_score()) return line.resize(line.size() + kProvenanceColumns.size());
  const Json& report = row.report;
  line.insert(line.end(), {report["kit"]["version"], report["kit"]["commit"],
                           report["score_sheet_digest"].get<std::string>().substr(0, kShownDigits),
                           report["compiler"]["name"], report["compiler"]["options"],
                           report["date"], report["seed"].dump(), joined(report["isolation"])});
}

void add_row(const std::vector<const LabSpec*>& labs, const Row& row, CsvLine& line) {
  line.push_back(row.has_score() ? std::to_string(row.score()) : "");
  line.push_back(row.has_score() ? std::to_string(row.extra()) : "");
  for (const LabSpec* spec : labs) {
    const Json* lab = row.lab(spec->id);
    line.push_back(lab ? (*lab)["score"].dump() : "");
    line.push_back(lab ? (*lab)["extra"].dump() : "");
    line.push_back(lab ? (*lab)["state"].get<std::string>() : "");
  }
  line.insert(line.end(), {by_lab(row, "diagnosis"), by_lab(row, "flags"), row.note(),
                           row.source_digest.substr(0, kShownDigits),
                           std::to_string(std::lround(row.seconds))});
  add_provenance(row, line);
}

}  // namespace

const Json* Row::lab(const std::string& id) const {
  if (!has_score()) return nullptr;
  const auto found =
      std::ranges::find_if(report["labs"], [&](const Json& lab) { return lab["id"] == id; });
  return found == report["labs"].end() ? nullptr : &*found;
}

std::string Row::note() const {
  std::vector<std::string> parts = notes;
  if (!problem.empty()) parts.insert(parts.begin(), problem);
  return join(parts, "; ");
}

std::size_t Row::num_flags() const {
  std::size_t count = 0;
  if (!has_score()) return count;
  for (const Json& lab : report["labs"]) count += lab["flags"].size();
  return count;
}

Row load_row(const fs::path& file) {
  try {
    const Json json = Json::parse(read_file(file));
    if (json.at("format") != kFormat) throw UsageError("another format");
    return {.name = json.at("submission"),
            .source_digest = json.at("source_digest"),
            .kit_digest = json.at("kit_digest"),
            .problem = json.at("problem"),
            .notes = json.at("notes"),
            .seconds = json.at("seconds"),
            .report = json.at("report")};
  } catch (const std::exception& error) {
    throw UsageError(file.string() + " is no row of ./lab class (" + error.what() +
                     "); remove it, and the submission is graded again");
  }
}

void save_row(const Row& row, const fs::path& file) {
  const Json json = {{"format", kFormat},
                     {"submission", row.name},
                     {"source_digest", row.source_digest},
                     {"kit_digest", row.kit_digest},
                     {"problem", row.problem},
                     {"notes", row.notes},
                     {"seconds", row.seconds},
                     {"report", row.report}};
  write_file(file, json_text(json, 2) + "\n");
}

std::string csv_of(const std::vector<const LabSpec*>& labs,
                   const std::vector<Person>& people,
                   const std::vector<Row>& rows) {
  std::vector<CsvLine> lines = {columns(labs, !people.empty())};
  for (const Row& row : rows) {
    CsvLine line = {printable(row.name)};
    if (!people.empty()) add_person(owner_of(people, row.name), line);
    add_row(labs, row, line);
    lines.push_back(line);
  }
  for (const Person* person : without_row(people, rows)) {
    CsvLine line = {""};
    add_person(person, line);
    add_row(labs, {.name = "", .problem = "nothing was handed in"}, line);
    lines.push_back(line);
  }
  return csv_text(lines);
}

}  // namespace kv::grader::classroom
