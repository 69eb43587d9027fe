#include <array>
#include <cmath>

#include "base/kit/csv.h"
#include "grader/classroom/class/class_state.h"
#include "grader/classroom/class/remarks.h"

namespace kv::grader::classroom {
namespace {

constexpr std::size_t kShownDigits = 12;  // a table shows so many digits of a digest
constexpr std::array kProvenanceColumns = {"kit",     "commit", "score_sheet", "compiler",
                                           "options", "date",   "seed",        "isolation"};

std::string joined(const Json& texts) {
  return join(texts.get<std::vector<std::string>>(), "; ");
}

std::string diagnosis_of(const Json& lab) {
  if (lab["state"] == "does not compile") return "does not compile: " + first_error_of(lab);
  const auto diagnosis = lab["diagnosis"].get<std::string>();
  return diagnosis.empty() ? failures_of(lab) : diagnosis;
}

std::string flags_of(const Json& lab) {
  return joined(lab["flags"]);
}

// What is said about the labs, each with its number.
std::string by_lab(const Row& row, std::string (*text_of)(const Json&)) {
  std::vector<std::string> parts;
  if (!row.has_score()) return "";
  for (const Json& lab : row.report["labs"]) {
    const std::string text = text_of(lab);
    if (!text.empty()) parts.push_back(lab["id"].get<std::string>() + ": " + text);
  }
  return join(parts, "; ");
}

CsvLine columns(const std::vector<const LabSpec*>& labs, bool has_people) {
  CsvLine names = {"submission"};
  if (has_people) names.insert(names.end(), {"id", "name", "group", "counts", "factor"});
  names.insert(names.end(), {"score", "extra"});
  for (const LabSpec* lab : labs) {
    for (const char* what : {"lab", "extra", "state"}) names.push_back(what + lab->id);
  }
  names.insert(names.end(), {"diagnosis", "flags", "note", "digest", "seconds"});
  names.insert(names.end(), kProvenanceColumns.begin(), kProvenanceColumns.end());
  return names;
}

// counts: "yes" or "no", of a submission.
void add_person(const Person* person,
                const std::string& counts,
                const std::string& factor,
                CsvLine& line) {
  const Person& shown = person == nullptr ? Person{} : *person;
  line.insert(line.end(), {shown.id, shown.name, shown.group, counts, factor});
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

void add_row(const std::vector<const LabSpec*>& labs,
             const Row& row,
             const std::string& note,
             CsvLine& line) {
  line.push_back(row.has_score() ? std::to_string(row.score()) : "");
  line.push_back(row.has_score() ? std::to_string(row.extra()) : "");
  for (const LabSpec* spec : labs) {
    const Json* lab = row.lab(spec->id);
    line.push_back(lab ? (*lab)["score"].dump() : "");
    line.push_back(lab ? (*lab)["extra"].dump() : "");
    line.push_back(lab ? (*lab)["state"].get<std::string>() : "");
  }
  line.insert(line.end(), {by_lab(row, diagnosis_of), by_lab(row, flags_of), note,
                           row.source_digest.substr(0, kShownDigits),
                           std::to_string(std::lround(row.seconds))});
  add_provenance(row, line);
}

// Why: a line break in a cell ends the line for many programs that read a table.
CsvLine with_cells_of_one_line(CsvLine line) {
  for (std::string& cell : line) cell = one_line(cell);
  return line;
}

// "01-03", "01 03"
std::string labs_text(const std::vector<const LabSpec*>& labs) {
  const bool are_in_a_row = labs.size() > 1 && std::stoul(labs.front()->id) + labs.size() - 1 ==
                                                   std::stoul(labs.back()->id);
  if (are_in_a_row) return labs.front()->id + "-" + labs.back()->id;
  return join(ids_of(labs), " ");
}

}  // namespace

std::string scores_csv(const ClassState& state) {
  std::vector<CsvLine> lines = {columns(state.labs, !state.people.empty())};
  const std::map<const Person*, const Row*> counted = counted_rows(state);
  for (const Row& row : state.rows) {
    CsvLine line = {printable(row.name)};
    std::string note = row.note();
    if (!state.people.empty()) {
      const Person* owner = state.owner(row);
      const bool counts = owner != nullptr && counted.at(owner) == &row;
      add_person(owner, counts ? "yes" : "no", counts ? factor_text(state.late.factor(*owner)) : "",
                 line);
      if (owner == nullptr) note += (note.empty() ? "" : "; ") + std::string(kWhyNobodys);
    }
    add_row(state.labs, row, note, line);
    lines.push_back(with_cells_of_one_line(line));
  }
  const SubmissionsByOwner by_owner = state.by_owner();
  const bool may_be_nobodys = by_owner.contains(nullptr);
  for (const Person* person : people_without(state.people, by_owner)) {
    CsvLine line = {""};
    add_person(person, "", "", line);
    add_row(state.labs, {},
            may_be_nobodys ? "no submission has this id; one that is nobody's may be theirs"
                           : "nothing was handed in",
            line);
    lines.push_back(with_cells_of_one_line(line));
  }
  return csv_text(lines);
}

std::string steps_csv(const ClassState& state) {
  std::vector<CsvLine> lines = {{"submission", "id", "group", "lab", "step", "state", "score",
                                 "max_score", "extra", "max_extra"}};
  for (const Row& row : state.rows) {
    const Person* owner = state.owner(row);
    const Person& person = owner == nullptr ? Person{} : *owner;
    for (const LabSpec* spec : state.labs) {
      const Json* lab = row.lab(spec->id);
      if (lab == nullptr) continue;
      for (const Json& step : (*lab)["steps"]) {
        lines.push_back({printable(row.name), person.id, person.group, spec->folder,
                         step["heading"], step["state"], step["score"].dump(),
                         step["max_score"].dump(), step["extra"].dump(), step["max_extra"].dump()});
      }
    }
  }
  return csv_text(lines);
}

std::string canvas_csv(const ClassState& state) {
  int max_points = 0;
  for (const LabSpec* lab : state.labs) max_points += lab->max_points(true);
  const std::string title = "PagedLab " + labs_text(state.labs);
  // Why 0 for the extra points: what is earned there is added, and what is not costs nothing.
  std::vector<CsvLine> lines = {
      {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", title + " core",
       title + " extra"},
      {"    Points Possible", "", "", "", "", std::to_string(max_points), "0"}};
  const std::map<const Person*, const Row*> counted = counted_rows(state);
  const std::string nothing = state.by_owner().contains(nullptr) ? "" : "0";
  for (const Person& person : state.people) {
    const auto own = counted.find(&person);
    const Row* row = own == counted.end() ? nullptr : own->second;
    const std::string otherwise = own == counted.end() ? nothing : "";
    const double factor = state.late.factor(person);
    lines.push_back({person.name, "", person.id, "", person.group,
                     row == nullptr ? otherwise : counted_points(row->score(), factor),
                     row == nullptr ? otherwise : counted_points(row->extra(), factor)});
  }
  return csv_text(lines);
}

}  // namespace kv::grader::classroom
