#include "grader/proof/check/reach.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/process/process.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

// A row of the table.
struct Row {
  std::string place;
  std::set<std::string> groups, labs, tests;
};

std::set<std::string> words_in(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Row row_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  if (cells.size() != 4) throw KitBroken("reach.txt: a row has four cells: " + line);

  const std::set<std::string> places = words_in(cells[0]);
  return {.place = places.empty() ? "" : *places.begin(),
          .groups = words_in(cells[1]),
          .labs = words_in(cells[2]),
          .tests = words_in(cells[3])};
}

std::vector<Row> table(const Kit& kit) {
  std::vector<Row> rows;
  for (const std::string& line :
       split_lines(read_file(kit.root / "grader" / "proof" / "check" / "reach.txt")))
    if (!line.empty() && !line.starts_with('#')) rows.push_back(row_of(line));
  if (rows.empty() || !rows.back().place.empty())
    throw KitBroken("reach.txt: the last row is for every other place");
  return rows;
}

// The lab in whose folder a file is, and those that need it; all where it is in none.
std::set<std::string> labs_of(const Kit& kit, const std::string& file) {
  const auto is_below = [&](const LabSpec& lab) {
    return file.find("/" + lab.folder + "/") != std::string::npos;
  };
  const auto own = std::ranges::find_if(kit.manifest.labs, is_below);
  std::set<std::string> ids;
  for (const LabSpec& lab : kit.manifest.labs) {
    const bool needs_it = own != kit.manifest.labs.end() &&
                          (lab.id == own->id || std::ranges::count(lab.needs, own->id) > 0);
    if (own == kit.manifest.labs.end() || needs_it) ids.insert(lab.id);
  }
  return ids;
}

void add(Reach& reach, const Kit& kit, const Row& row, const std::string& file) {
  std::set<std::string> labs = row.labs;
  if (labs.erase("its") > 0) labs.merge(labs_of(kit, file));
  if (labs.erase("all") > 0)
    for (const LabSpec& lab : kit.manifest.labs) labs.insert(lab.id);

  std::set<std::string> tests = row.tests;
  if (tests.erase("all") > 0) tests.insert("");
  if (tests.erase("named") > 0) reach.named.insert(labs.begin(), labs.end());

  reach.has_kit |= row.groups.contains("kit");
  reach.has_builds |= row.groups.contains("builds");
  reach.labs.merge(labs);
  reach.tests.merge(tests);
}

std::vector<std::string> git_lines(const Kit& kit, const std::vector<std::string>& arguments) {
  Command command{.argv = {"git", "-C", kit.root.string()}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run(command);
  if (!outcome.ok())
    throw UsageError("--changed takes a commit of this clone, as main or HEAD~1; git says: " +
                     one_line(outcome.output));
  return split_lines(outcome.output);
}

}  // namespace

bool Reach::has_test(const fs::path& file, const fs::path& root) const {
  const std::string path = file.lexically_relative(root).string();
  const auto begins = [&](const std::string& place) { return path.starts_with(place); };
  if (std::ranges::any_of(tests, begins)) return true;

  const std::string text = named.empty() ? "" : read_file(file);
  return std::ranges::any_of(named, [&](const std::string& id) {
    return text.find("\"" + id + "\"") != text.npos || text.find(id + "-") != text.npos ||
           text.find("lab " + id) != text.npos;
  });
}

Reach reach_of(const Kit& kit, const std::vector<std::string>& changed) {
  Reach reach;
  const std::vector<Row> rows = table(kit);
  for (const std::string& file : changed) {
    const auto fits = [&](const Row& row) { return file.starts_with(row.place); };
    add(reach, kit, *std::ranges::find_if(rows, fits), file);
  }
  return reach;
}

std::vector<std::string> changed_since(const Kit& kit, const std::string& commit) {
  std::vector<std::string> files =
      git_lines(kit, {"diff", "--name-only", "--no-renames", commit, "--"});
  const auto others = git_lines(kit, {"ls-files", "--others", "--exclude-standard"});
  files.insert(files.end(), others.begin(), others.end());
  return files;
}

}  // namespace kv::grader
