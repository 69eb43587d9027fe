#include "grader/program/check/documents.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "grader/program/submission/submission.h"

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

// KV_TODO lines in starter/ for which there are core points.
int num_core_stubs(const Kit& kit, const LabSpec& lab) {
  int count = 0;
  for (const std::string& file : lab.files) {
    for (const std::string& step :
         open_steps(read_file(kit.root / "starter" / lab.folder / file))) {
      count += lab.is_core(lab.step(step)) ? 1 : 0;
    }
  }
  return count;
}

// What README.md shows of the first `./lab grade`.
std::vector<std::string> first_report(const Kit& kit) {
  std::vector<std::string> parts;
  int core = 0, extra = 0, num_stubs = 0;
  for (const LabSpec& lab : kit.manifest.labs) {
    const StepSpec& first = lab.steps.front();
    num_stubs += num_core_stubs(kit, lab);
    core += lab.max_points(true);
    extra += lab.max_points(false);
    parts.push_back("lab " + lab.id + "  " + lab.title);
    parts.push_back("0/" + std::to_string(lab.max_points(true)) + "  +0/" +
                    std::to_string(lab.max_points(false)) + "\n    first read  labs/" + lab.folder +
                    "/README.md  (the lab takes " + lab.hours + " hours)\n    next: write step " +
                    first.heading() + " in starter/" + lab.folder + "/" + first.file + "\n");
  }
  parts.push_back("core stubs left: " + std::to_string(num_stubs) + ")");
  parts.push_back("total 0/" + std::to_string(core) + " core, +0/" + std::to_string(extra) +
                  " extra");
  return parts;
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
  std::string absent;
  for (const std::string& part : first_report(kit)) {
    if (readme.find(part) == std::string::npos) absent += part + "\n";
  }
  checks.expect(absent.empty(), "README.md shows what the first ./lab grade prints", absent);
  const std::string wrong_points = wrong_step_rows(kit, readme);
  checks.expect(wrong_points.empty(), "README.md: a step has the points of the score sheet",
                wrong_points);
  std::string ids = "labs:";
  for (const LabSpec& lab : kit.manifest.labs) ids += " " + lab.id;
  const std::string messages = read_file(kit.root / "docs" / "getting-started.md");
  checks.expect(messages.find(ids + "`") != std::string::npos,
                "docs/getting-started.md: the message about an unknown lab lists them all", ids);
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

// GitHub's name for a heading: "One file, two rows" -> "one-file-two-rows".
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find(' ') + 1)) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(c));
    }
  }
  return anchor;
}

bool has_anchor(const fs::path& page, const std::string& anchor) {
  const std::vector<std::string> lines = split_lines(read_file(page));
  return std::ranges::any_of(lines, [&](const std::string& line) {
    return line.starts_with("#") && anchor_of(line) == anchor;
  });
}

// The targets of [text](target) and of lines "[name]: target", outside fenced blocks.
std::vector<std::string> links_of(const std::string& page) {
  std::vector<std::string> links;
  bool is_code = false;
  for (const std::string& line : split_lines(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code) continue;
    for (const std::string& part : parts_between(line, "](", ")")) links.push_back(part);
    const std::size_t colon = line.find("]: ");
    if (line.starts_with("[") && colon != std::string::npos)
      links.push_back(line.substr(colon + 3));
  }
  return links;
}

bool leads_somewhere(const fs::path& page, const std::string& link) {
  if (link.starts_with("http")) return true;
  const std::size_t hash = std::min(link.find('#'), link.size());
  const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
  if (!fs::exists(target)) return false;
  return hash == link.size() || has_anchor(target, link.substr(hash + 1));
}

void check_links(const Kit& kit, Checks& checks) {
  std::size_t num_links = 0;
  std::string broken;
  for (const fs::path& file : texts_of_kit(kit)) {
    if (file.extension() != ".md") continue;
    for (const std::string& link : links_of(read_file(kit.root / file))) {
      ++num_links;
      if (!leads_somewhere(kit.root / file, link)) broken += file.string() + ": " + link + "\n";
    }
  }
  checks.expect(broken.empty(), std::to_string(num_links) + " links lead somewhere", broken);
}

}  // namespace

void check_documents(const Kit& kit, Checks& checks) {
  check_invariants(kit, checks);
  check_named_labs(kit, checks);
  for (const LabSpec& lab : kit.manifest.labs) check_folder(kit, lab, checks);
  check_links(kit, checks);
  check_words(kit, checks);
}

}  // namespace kv::grader
