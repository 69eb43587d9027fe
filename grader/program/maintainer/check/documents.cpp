#include "grader/program/maintainer/check/documents.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "grader/program/course/handout/first_report.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMaxEntries = 12;  // of a lab's folder: what a student sees at the first look

// "04" and "kv cache manager" of a cell "04 KV cache manager" or "[04 KV cache manager][l4]".
std::pair<std::string, std::string> lab_in(std::string cell) {
  if (cell.starts_with("[")) cell = cell.substr(1, cell.find(']') - 1);
  const auto is_digit = [&](std::size_t at) { return std::isdigit(cell[at]) != 0; };
  if (cell.size() < 4 || !is_digit(0) || !is_digit(1) || cell[2] != ' ' || is_digit(3)) return {};
  std::string name = cell.substr(3, cell.find(" (") - 3);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return {cell.substr(0, 2), name};
}

// A row about a lab says "coming" or "planned" if and only if the manifest has no such lab.
std::string wrong_lab_rows(const Kit& kit, const std::string& page) {
  std::map<std::string, std::string> awaited;  // id -> name
  for (const LabSpec& lab : kit.manifest.labs) {
    awaited[lab.id] = replace_all(lab.folder.substr(lab.id.size() + 1), "-", " ");
  }
  const std::map<std::string, std::string> labs = awaited;
  std::string wrong;
  for (const std::string& line : split_lines(page)) {
    for (const std::string& cell : table_cells(line)) {
      const auto [id, name] = lab_in(cell);
      if (id.empty()) continue;
      const bool is_coming =
          line.find("coming") != std::string::npos || line.find("planned") != std::string::npos;
      const auto found = labs.find(id);
      const bool is_here = found != labs.end() && found->second == name;
      if (is_coming ? found != labs.end() : !is_here) wrong += line + "\n";
      awaited.erase(id);
    }
  }
  for (const auto& [id, name] : awaited) wrong += "no row for lab " + id + " " + name + "\n";
  return wrong;
}

// What README.md lacks of the first `./lab grade`: the rows of the first lab, and the sums.
std::string absent_of_first_report(const Kit& kit, const std::string& readme) {
  const handout::FirstReport report = handout::first_report(kit, kit.manifest.chosen({}));
  std::vector<std::string> parts = {report.first_lab, report.stubs, report.total, report.hours};
  std::erase_if(parts,
                [&](const std::string& part) { return readme.find(part) != std::string::npos; });
  return join(parts, "\n");
}

// Labs whose row does not end with the hours of the score sheet.
std::string wrong_hours(const Kit& kit, const std::string& page) {
  std::string wrong;
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::string hours = "| " + replace_all(lab.hours, "-", "–") + " |";
    for (const std::string& line : split_lines(page))
      if (line.starts_with("| [" + lab.id + " ") && !line.ends_with(hours)) wrong += line + "\n";
  }
  return wrong;
}

// Rows of a page that show a step with other points than the score sheet has.
std::string wrong_step_rows(const Kit& kit, const std::string& page) {
  std::string wrong;
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const StepSpec& step : lab.steps) {
      const auto is_of_step = [&](const TestSpec& test) { return test.step == step.number; };
      const int points = lab.with_tests(is_of_step).max_points(true);
      for (const std::string& line : split_lines(page)) {
        if (!line.starts_with("    " + step.heading() + "  ")) continue;
        if (!line.ends_with("/" + std::to_string(points))) wrong += line + "\n";
      }
    }
  }
  return wrong;
}

void check_named_labs(const Kit& kit, Checks& checks) {
  const std::string readme = read_file(kit.root / "README.md");
  for (const std::string page : {"README.md", "docs/instructor.md"}) {
    const std::string wrong = wrong_lab_rows(kit, read_file(kit.root / page));
    checks.expect(wrong.empty(), page + ": its table of labs is the manifest's", wrong);
  }
  const std::string absent = absent_of_first_report(kit, readme);
  checks.expect(absent.empty(), "README.md shows what the first ./lab grade prints", absent);
  const std::string other_hours = wrong_hours(kit, readme);
  checks.expect(other_hours.empty(), "README.md: a lab takes the hours of the score sheet",
                other_hours);
  const std::string wrong_points = wrong_step_rows(kit, readme);
  checks.expect(wrong_points.empty(), "README.md: a step has the points of the score sheet",
                wrong_points);
}

void check_folder(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const std::string readme = read_file(kit.lab_folder(lab) / "README.md");
  std::string unlinked;
  for (const std::string& header : lab.headers) {
    if (readme.find("](" + header) == std::string::npos) unlinked += header + "\n";
  }
  checks.expect(unlinked.empty(), "lab " + lab.id + ": README links every contract", unlinked);
  const auto count = std::distance(fs::directory_iterator(kit.lab_folder(lab)), {});
  checks.expect(static_cast<std::size_t>(count) <= kMaxEntries,
                "lab " + lab.id + ": " + std::to_string(count) + " entries in its folder (" +
                    std::to_string(kMaxEntries) + " at most)");
}

void check_links(const Kit& kit, Checks& checks) {
  const Links links = links_in(kit.root, texts_of_kit(kit));
  checks.expect(links.broken.empty(), std::to_string(links.num) + " links lead somewhere",
                links.broken);
  const fs::path planted = kit.build / "links-planted";
  write_file(planted / ".github/workflows/there.yml", "");
  write_file(planted / "page.md",
             "[a](../../actions/workflows/there.yml) [b](../../actions/workflows/gone.yml)\n");
  const std::string found = links_in(planted, {"page.md"}).broken;
  checks.expect(found == "page.md: ../../actions/workflows/gone.yml\n",
                "a link to no workflow is found", found);
}

}  // namespace

void check_documents(const Kit& kit, Checks& checks) {
  check_invariants(kit, checks);
  check_named_labs(kit, checks);
  for (const LabSpec& lab : kit.manifest.labs) check_folder(kit, lab, checks);
  check_picture(kit, checks);
  check_links(kit, checks);
  check_words(kit, checks);
}

}  // namespace kv::grader
