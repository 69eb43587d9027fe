#include <algorithm>
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
  if (has_people) names.insert(names.end(), {"id", "name", "group", "counts", "factor", "by_hand"});
  names.insert(names.end(), {"score", "extra"});
  for (const LabSpec* lab : labs) {
    for (const char* what : {"lab", "extra", "state"}) names.push_back(what + lab->id);
  }
  names.insert(names.end(), {"diagnosis", "flags", "note", "digest", "seconds"});
  names.insert(names.end(), kProvenanceColumns.begin(), kProvenanceColumns.end());
  return names;
}

// counts: "yes" or "no", of a submission.
void add_people(const Owners& owners,
                const std::string& counts,
                const std::string& factor,
                CsvLine& line) {
  std::vector<std::string> decisions;
  for (const Person* owner : owners) decisions.push_back(join(owner->decisions, "; "));
  std::erase(decisions, "");
  line.insert(line.end(), {of_all(owners, &Person::id), of_all(owners, &Person::name),
                           of_all(owners, &Person::group), counts, factor, join(decisions, "; ")});
}

bool counts_for_all(const std::map<const Person*, const Row*>& counted,
                    const Owners& owners,
                    const Row& row) {
  return !owners.empty() && std::ranges::all_of(owners, [&](const Person* owner) {
    return counted.at(owner) == &row;
  });
}

// "0.9"; of two people, "0.9 and 1".
std::string factors_text(const LatePolicy& late, const Owners& owners) {
  std::vector<std::string> factors;
  for (const Person* owner : owners) factors.push_back(factor_text(late.factor(*owner)));
  const auto other = std::ranges::adjacent_find(factors, std::ranges::not_equal_to());
  return other == factors.end() ? factors.front() : join(factors, " and ");
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

}  // namespace

std::string scores_csv(const ClassState& state) {
  std::vector<CsvLine> lines = {columns(state.labs, !state.people().empty())};
  const std::map<const Person*, const Row*> counted = counted_rows(state);
  for (const Row& row : state.rows) {
    CsvLine line = {printable(row.name)};
    std::string note = row.note();
    if (!state.people().empty()) {
      const Owners owners = state.owners(row);
      const bool counts = counts_for_all(counted, owners, row);
      add_people(owners, counts ? "yes" : "no", counts ? factors_text(state.late, owners) : "",
                 line);
      if (owners.empty())
        note += (note.empty() ? "" : "; ") + why_nobodys(state.people(), row.name);
    }
    add_row(state.labs, row, note, line);
    lines.push_back(with_cells_of_one_line(line));
  }
  const SubmissionsByOwner by_owner = state.by_owner();
  const bool may_be_nobodys = by_owner.contains(nullptr);
  for (const Person* person : people_without(state.people(), by_owner)) {
    CsvLine line = {""};
    add_people({person}, "", "", line);
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
    const Owners owners = state.owners(row);
    for (const LabSpec* spec : state.labs) {
      const Json* lab = row.lab(spec->id);
      if (lab == nullptr) continue;
      for (const Json& step : (*lab)["steps"]) {
        lines.push_back({printable(row.name), of_all(owners, &Person::id),
                         of_all(owners, &Person::group), spec->folder, step["heading"],
                         step["state"], step["score"].dump(), step["max_score"].dump(),
                         step["extra"].dump(), step["max_extra"].dump()});
      }
    }
  }
  return csv_text(lines);
}

}  // namespace kv::grader::classroom
