#include "grader/classroom/class/feedback.h"

#include "base/kit/csv.h"
#include "base/process/process.h"
#include "base/text/errors.h"

namespace kv::grader::classroom {
namespace {

// The failing test to read first: what it says, and where.
std::string first_failure_of(const Json& lab) {
  for (const Json& test : lab["tests"]) {
    if (test["status"] == "pass" || test["status"] == "not_started") continue;
    const auto step = test["fix"].get<std::string>();
    const std::string where = step.empty() ? "" : "look at " + step + " first; ";
    return "  " + where + "the test " + test["name"].get<std::string>() + " does not pass\n";
  }
  return "";
}

std::string lab_text(const LabSpec& spec, const Json& lab) {
  std::string text = "lab " + spec.id + "  " + spec.title + ": " + lab["score"].dump() + " of " +
                     lab["max_score"].dump() + ", " + lab["extra"].dump() + " extra; " +
                     lab["state"].get<std::string>() + "\n";
  const auto diagnosis = lab["diagnosis"].get<std::string>();
  if (lab["state"] == "does not compile") text += "  " + first_error_of(lab) + "\n";
  if (!diagnosis.empty()) text += "  " + diagnosis + "\n";
  return text + (lab["state"] == "in progress" ? first_failure_of(lab) : "");
}

// A folder of this name is whose Moodle's feedback is: the number is what follows the first "_".
std::string folder_in_moodle(const Person& person) {
  const std::string name = replace_all(replace_all(person.name, "/", "-"), "_", " ");
  return name + "_" + person.id + "_assignfeedback_file";
}

void write_moodle_zip(const fs::path& folder, const ClassState& state) {
  const fs::path content = folder / "moodle-feedback";
  fs::remove_all(content);
  for (const Grade& grade : grades_of(state)) {
    if (grade.row == nullptr) continue;
    const fs::path own = content / folder_in_moodle(*grade.person);
    write_file(own / "feedback.txt", feedback_text(state, grade));
    const fs::path page = folder / page_file(grade.row->name);
    if (fs::exists(page)) fs::copy_file(page, own / "feedback.html");
  }
  if (!fs::exists(content)) return;
  const fs::path zip = fs::absolute(folder / "moodle-feedback.zip");
  const Outcome outcome = run({.argv = {"cmake", "-E", "chdir", content.string(), "cmake", "-E",
                                        "tar", "cf", zip.string(), "--format=zip", "."}});
  if (!outcome.ok()) throw MachineFailed("cannot make " + zip.string() + ": " + outcome.output);
  fs::remove_all(content);
}

}  // namespace

std::string feedback_text(const ClassState& state, const Grade& grade) {
  std::string text = "PagedLab " + labs_text(state.labs) + ": ";
  text += grade.core ? sentence_of(state, grade) : "not graded yet";
  text += "\n\n";
  for (const LabSpec* spec : state.labs) {
    const Json* const lab = grade.row == nullptr ? nullptr : grade.row->lab(spec->id);
    if (lab != nullptr) text += lab_text(*spec, *lab);
  }
  return printable(text);
}

void write_feedback(const fs::path& folder, const ClassState& state) {
  if (state.people().empty()) return;
  std::vector<CsvLine> lines = {{"id", "name", "mail", "text", "page"}};
  for (const Grade& grade : grades_of(state)) {
    const Person& person = *grade.person;
    const std::string page = grade.row == nullptr ? "" : page_file(grade.row->name);
    lines.push_back({person.id, person.name, state.roster.field(person.line, "Email address"),
                     feedback_text(state, grade), fs::exists(folder / page) ? page : ""});
  }
  write_file(folder / "to-students.csv", csv_text(lines));
  if (state.roster.kind == RosterKind::kMoodle) write_moodle_zip(folder, state);
}

}  // namespace kv::grader::classroom
