#include <map>

#include "common/errors.h"
#include "grader/program/base/process/landlock.h"
#include "grader/program/course/classroom/csv.h"
#include "grader/program/course/classroom/row.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/class_folder.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

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
  folder.add_lab("other-lab", kit.manifest.lab("02"), kit.root / "solution");
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
    {"other-lab",
     {"", "other-lab\" holds no file of the labs asked for; expected for example 01-"}},
    {"overwrites", {"100", "uses files"}},
};

constexpr std::size_t kScoreColumn = 4;  // after submission, id, name and group

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
  // Why a type for all: g++ 13 does not compare a string with Json.
  const auto is_in_table = [&](const char* column, const Json& value) {
    return ada[column] == value.get<std::string>();
  };
  checks.expect(is_in_table("kit", report["kit"]["version"]) &&
                    is_in_table("commit", report["kit"]["commit"]) &&
                    is_in_table("compiler", report["compiler"]["name"]) &&
                    is_in_table("date", report["date"]),
                "the table says what has graded", join(lines[1], " | "));
  const Outcome head = run({.argv = {"git", "-C", kit.root.string(), "rev-parse", "HEAD"}});
  const std::string commit = ada["commit"].substr(0, 12);
  checks.expect(!head.ok() || (!commit.empty() && head.output.starts_with(commit)),
                "the commit of the kit: " + commit, head.output);
}

// The rows of a student with all points, of one whose archive is damaged, and of one who has handed
// in nothing, or whose submission is one of those that are nobody's.
void check_canvas(const Kit& kit, const std::string& canvas, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const std::string extra = std::to_string(lab.max_points(false));
  const std::string rows =
      "PagedLab 01 core,PagedLab 01 extra\n    Points Possible,,,,,100,0\n"
      "\"Lovelace, Ada\",,ada,,A,100," +
      extra + "\nEve,,eve,,A,,\nZoe,,zoe,,B,,\n";
  checks.expect(canvas.find(rows) != canvas.npos, "a table for Canvas", canvas);
}

void check_cells(const std::string& table, Checks& checks) {
  std::string broken;
  std::string device;
  for (const CsvLine& line : parse_csv(table, "scores.csv")) {
    for (const std::string& cell : line) broken += cell.find('\n') == cell.npos ? "" : cell + "\n";
    if (line[0] == "device") device = join(line, "|");
  }
  checks.expect(broken.empty(), "no line break in a cell", broken);
  checks.expect(device.find("|01: does not compile: ") != device.npos,
                "the error in place of a diagnosis", device);
}

// Whatever a row has beside its points, the end of the run says too.
void check_to_look_at(const std::string& output, Checks& checks) {
  const std::size_t begin = output.find("\nto look at\n");
  checks.expect(begin != output.npos, "a list of what there is to look at", output);
  const std::string list = output.substr(std::min(begin, output.size()));
  for (const std::string& said : std::vector<std::string>{
           "do not compile\n    device: lab 01: ", "    neighbour: lab 01: 01-free-queue/",
           "a time limit was reached\n    loop: lab 01: ", "not started\n    ben: lab 01\n",
           "the same files\n    ada, cy\n", "    eve: the archive is damaged or empty\n",
           "    daemon: lab 01: " + kQueue + " refers to fork", "    link: a symbolic link",
           "and run this again\n    ben, cy, ", "    one may belong to Zoe (zoe); until then, "})
    checks.expect(list.find(said) != list.npos, "to look at: " + replace_all(said, "\n", " "),
                  list);
}

// A step to fix is named only for tests that were run and fail.
void check_steps_to_fix(const fs::path& out, Checks& checks) {
  const auto steps_of = [&](const std::string& name) {
    return failures_of(load_row(out / "submissions" / (name + ".json")).report["labs"][0]);
  };
  const std::string loop = steps_of("loop");
  // Why the beginning alone: the time to search for causes is limited.
  checks.expect(loop.starts_with("1.3 popleft: "), "the step to fix of a loop without end", loop);
  for (const char* name : {"ada", "ben", "device"})
    checks.expect(steps_of(name).empty(), std::string("no step to fix: ") + name, steps_of(name));
}

// The page and the JSON name what was handed in, not the copy that is graded.
void check_names(const fs::path& folder, const fs::path& out, Checks& checks) {
  const std::string page = read_file(out / "students" / "ada.html");
  const std::string ada = (folder / "ada").string();
  for (const std::string& said :
       std::vector<std::string>{"<p class=\"owner\">ada: Lovelace, Ada (ada), group A</p>",
                                "compare: ./lab diff " + shell_word(ada) + " 01 --yes, then"})
    checks.expect(page.find(said) != page.npos, "the page of a student: " + said);
  checks.expect(load_row(out / "submissions" / "ada.json").report["tree"] == ada,
                "the JSON names what was handed in");
  std::string with_copy;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    const bool names_it =
        entry.is_regular_file() && read_file(entry.path()).find("/class-1/") != std::string::npos;
    if (names_it) with_copy += entry.path().string() + "\n";
  }
  checks.expect(with_copy.empty(), "no result names the copy that is graded", with_copy);
}

// What a browser without JavaScript shows.
void check_plain_pages(const fs::path& out, Checks& checks) {
  const auto plain_of = [](const fs::path& page) {
    const std::string text = read_file(page);
    const std::size_t begin = text.find("<noscript>");
    return text.substr(begin, text.find("</noscript>") - begin);
  };
  const std::string index = plain_of(out / "index.html");
  checks.expect(index.find("  ada: 100 +") != index.npos, "a class without JavaScript", index);
  const std::string page = plain_of(out / "students" / "loop.html");
  for (const std::string said : {"this test checks: ", "what the test did:\n",
                                 "what went wrong: a loop that does not end in popleft, line "})
    checks.expect(page.find(said) != page.npos, "a page without JavaScript: " + said, page);
}

constexpr const char* kRoster = "id,name,group\nada,\"Lovelace, Ada\",A\neve,Eve,A\nzoe,Zoe,B\n";

// It takes the rows that are there, and the names of a new roster.
void check_second_run(const Kit& kit,
                      const std::vector<std::string>& arguments,
                      const fs::path& out,
                      Checks& checks) {
  const fs::path roster = kit.build / "roster.csv";
  const std::string table = read_file(out / "scores.csv");
  fs::remove(out / "scores.csv");
  write_file(roster, replace_all(kRoster, "Ada\"", "Augusta Ada\""));
  const Outcome second = run_lab(kit, arguments, "inner-class");
  const std::string renamed = replace_all(table, "Lovelace, Ada", "Lovelace, Augusta Ada");
  checks.expect(read_file(out / "scores.csv") == renamed && second.output.find("ada") != table.npos,
                "a second run takes what is there", second.output);
  checks.expect(read_file(out / "students" / "ada.html").find(">ada: Lovelace, Augusta Ada (") !=
                    std::string::npos,
                "the page of a student has the name of the new roster");
  write_file(roster, "id;name\n");
  checks.expect(run_lab(kit, arguments, "inner-class").exit_code == kExitUsage,
                "a roster that is none");
}

}  // namespace

void check_class(const Kit& kit, Checks& checks) {
  check_class_tables(kit, checks);
  if (landlock_version() == 0) return checks.unavailable("./lab class", "Landlock (Linux 5.13)");
  const fs::path folder = kit.build / "class-of-thirteen";
  const fs::path out = kit.build / "class-results";
  fs::remove_all(out);
  ClassFolder submissions(folder);
  fill(kit, submissions);
  write_file(kit.build / "roster.csv", kRoster);
  const std::vector<std::string> arguments = {
      "class", folder.string(), "--labs",   "1-1,01",
      "--out", out.string(),    "--roster", (kit.build / "roster.csv").string()};
  const Outcome first = run_lab(kit, arguments, "inner-class");
  const std::string table = read_file(out / "scores.csv");
  check_rows(table, "first run", checks);
  checks.expect(first.ok() && first.output.find("cy") != std::string::npos,
                "a class of thirteen is graded", first.output);
  check_canvas(kit, read_file(out / "canvas.csv"), checks);
  check_to_look_at(first.output, checks);
  check_names(folder, out, checks);
  check_plain_pages(out, checks);
  check_steps_to_fix(out, checks);
  check_cells(table, checks);
  check_table_provenance(kit, table, checks);
  check_second_run(kit, arguments, out, checks);
}

}  // namespace kv::grader
