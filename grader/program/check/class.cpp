#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/class_folder.h"
#include "grader/program/check/lab_command.h"
#include "grader/program/classroom/csv.h"
#include "grader/program/classroom/row.h"
#include "grader/program/process/landlock.h"

namespace kv::grader {
namespace {

using namespace classroom;

const std::string kQueue = "free_kv_cache_block_queue.cpp";

// The solution of lab 01, with text on top and in its remove.
void add_changed(const Kit& kit,
                 ClassFolder& folder,
                 const std::string& name,
                 const std::string& top,
                 const std::string& in_remove = "") {
  const LabSpec& lab = kit.manifest.labs.front();
  folder.add_lab(name, lab, kit.root / "solution");
  const fs::path file = folder.file_of(name, lab, kQueue);
  write_file(file,
             replace_all(read_file(file), "  remove(*head);", in_remove + "\n  remove(*head);"));
  folder.put_on_top(name, lab, kQueue, top);
}

void fill(const Kit& kit, ClassFolder& folder) {
  const LabSpec& lab = kit.manifest.labs.front();
  folder.add_lab("ada", lab, kit.root / "solution");
  folder.add_wrapped_zip("ben", lab, kit, kit.root / "starter");
  folder.add_flat_archive("cy", lab, kit.root / "solution");
  add_changed(kit, folder, "daemon", "#include <unistd.h>",
              "  static const bool is_left = fork() == 0;\n  if (is_left) for (;;) pause();");
  add_changed(kit, folder, "device", "#include \"/dev/zero\"");
  folder.add_file("eve.zip", "this is no archive\n");
  add_changed(kit, folder, "latin", "// caf\xE9 \xFF");
  folder.add_link("link", lab, kQueue, "ada");
  add_changed(kit, folder, "loop", "", "  for (volatile int forever = 1; forever == 1;) {\n  }");
  add_changed(kit, folder, "neighbour",
              "#include \"" + folder.file_of("ada", lab, kQueue).string() + "\"");
  add_changed(
      kit, folder, "only-in-tests", "#include <cerrno>\n#include <string>",
      "  if (std::string(program_invocation_short_name) != \"lab01_tests\") return nullptr;");
  add_changed(kit, folder, "overwrites", "#include <fstream>",
              "  std::ofstream(\"/proc/self/exe\") << 1;\n"
              "  std::ofstream(\"CMakeCache.txt\") << 1;");
}

struct Expected {
  std::string score;  // "*": any
  std::string said;   // a part of the line in the table
};

const std::map<std::string, Expected> kExpected = {
    {"ada", {"100", "done"}},
    {"ben", {"0", "not started"}},
    {"cy", {"100", "done"}},
    {"daemon", {"100", "refers to fork"}},
    {"device", {"0", "does not compile"}},
    {"eve", {"", "damaged or empty"}},
    {"latin", {"100", "done"}},
    {"link", {"", "symbolic link"}},
    {"loop", {"*", "in progress"}},
    {"neighbour", {"0", "does not compile"}},
    {"only-in-tests", {"100", "the second opinion: full points, but"}},
    {"overwrites", {"100", "uses files"}},
};

constexpr std::size_t kScoreColumn = 4;  // behind submission, id, name and group

void check_rows(const std::string& table, const std::string& run, Checks& checks) {
  std::map<std::string, CsvLine> rows;
  for (const CsvLine& line : parse_csv(table, "scores.csv")) rows[line[0]] = line;
  for (const auto& [name, expected] : kExpected) {
    const std::string line = join(rows[name], " | ");
    const bool is_right = rows[name].size() > kScoreColumn &&
                          (expected.score == "*" || rows[name][kScoreColumn] == expected.score) &&
                          line.find(expected.said) != line.npos;
    checks.expect(is_right, run + ": " + name + ": " + expected.score + ", " + expected.said, line);
  }
}

// What the table says about the kit that graded.
void check_table_provenance(const Kit& kit, const std::string& table, Checks& checks) {
  const std::vector<CsvLine> lines = parse_csv(table, "scores.csv");
  std::map<std::string, std::string> ada;
  for (std::size_t i = 0; i < lines[1].size(); ++i) ada[lines[0][i]] = lines[1][i];
  const Json report = load_row(kit.build / "class-results" / "submissions" / "ada.json").report;
  checks.expect(ada["kit"] == report["kit"]["version"] &&
                    ada["commit"] == report["kit"]["commit"] &&
                    ada["compiler"] == report["compiler"]["name"] && ada["date"] == report["date"],
                "the table says what has graded", join(lines[1], " | "));
  const Outcome head = run({.argv = {"git", "-C", kit.root.string(), "rev-parse", "HEAD"}});
  const std::string commit = ada["commit"].substr(0, 12);
  checks.expect(!head.ok() || (!commit.empty() && head.output.starts_with(commit)),
                "the commit of the kit: " + commit, head.output);
}

// Of a student with all points, and of one who has handed in nothing.
void check_canvas(const Kit& kit, const std::string& canvas, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const std::string points = std::to_string(lab.max_points(true) + lab.max_points(false));
  const std::string rows = "\"Lovelace, Ada\",,ada,,A," + points + "\nZoe,,zoe,,B,\n";
  checks.expect(canvas.find(rows) != canvas.npos, "a table for Canvas", canvas);
}

}  // namespace

void check_class(const Kit& kit, Checks& checks) {
  if (landlock_version() == 0) return checks.unavailable("./lab class", "Landlock (Linux 5.13)");
  const fs::path folder = kit.build / "class-of-twelve";
  const fs::path out = kit.build / "class-results";
  fs::remove_all(out);
  ClassFolder submissions(folder);
  fill(kit, submissions);
  write_file(kit.build / "roster.csv", "id,name,group\nada,\"Lovelace, Ada\",A\nzoe,Zoe,B\n");
  const std::vector<std::string> arguments = {
      "class", folder.string(), "--labs",   "1-1,01",
      "--out", out.string(),    "--roster", (kit.build / "roster.csv").string()};
  const Outcome first = run_lab(kit, arguments, "inner-class");
  check_rows(read_file(out / "scores.csv"), "first run", checks);
  checks.expect(first.ok() && first.output.find("cy") != std::string::npos,
                "a class of twelve is graded", first.output);
  check_canvas(kit, read_file(out / "canvas.csv"), checks);
  const std::string table = read_file(out / "scores.csv");
  check_table_provenance(kit, table, checks);
  fs::remove(out / "scores.csv");
  const Outcome second = run_lab(kit, arguments, "inner-class");
  checks.expect(read_file(out / "scores.csv") == table && second.output.find("ada") != table.npos,
                "a second run takes what is there", second.output);
  write_file(kit.build / "roster.csv", "id;name\n");
  checks.expect(run_lab(kit, arguments, "inner-class").exit_code == kExitUsage,
                "a roster that is none");
}

}  // namespace kv::grader
