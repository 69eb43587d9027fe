#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/check/check.h"
#include "grader/program/check/lab_command.h"
#include "grader/program/classroom/csv.h"
#include "grader/program/classroom/row.h"
#include "grader/program/process/landlock.h"

namespace kv::grader {
namespace {

using namespace classroom;

const std::string kQueue = "free_kv_cache_block_queue.cpp";

// The submissions of a class for lab 01, each made from the solution.
class ClassFolder {
 public:
  ClassFolder(const Kit& kit, const fs::path& folder)
      : lab_(kit.manifest.labs.front()),
        solution_(kit.root / "solution" / lab_.folder),
        folder_(folder),
        scratch_(folder.string() + "-scratch") {
    for (const fs::path& each : {folder_, scratch_}) fs::remove_all(each);
    fs::create_directories(folder_);
  }

  void add_folder(const std::string& name) {
    fs::create_directories(folder_ / name);
    fs::copy(solution_, folder_ / name / lab_.folder);
  }

  // The solution with text put at the top of a file, and a body replaced.
  void add_changed(const std::string& name,
                   const std::string& top,
                   const std::string& before_remove = "") {
    add_folder(name);
    const fs::path file = folder_ / name / lab_.folder / kQueue;
    std::string text =
        replace_all(read_file(file), "  remove(*head);", before_remove + "\n  remove(*head);");
    write_file(file, top + "\n" + text);
  }

  // Files without the folder of their lab, in an archive.
  void add_flat_archive(const std::string& file) { archive(file, solution_, "gnutar"); }

  void add_wrapped_zip(const std::string& file, const fs::path& starter) {
    const fs::path top = scratch_ / "top" / "pagedlab-main";
    for (const char* tree : {"starter", "solution"}) fs::create_directories(top / tree);
    fs::copy(starter / lab_.folder, top / "starter" / lab_.folder);
    fs::copy(solution_, top / "solution" / lab_.folder);
    archive(file, scratch_ / "top", "zip");
  }

  void add_file(const std::string& file, const std::string& content) {
    write_file(folder_ / file, content);
  }

  void add_link(const std::string& name, const std::string& other) {
    fs::create_directories(folder_ / name / lab_.folder);
    fs::create_symlink(folder_ / other / lab_.folder / kQueue,
                       folder_ / name / lab_.folder / kQueue);
  }

  fs::path file_of(const std::string& name) const { return folder_ / name / lab_.folder / kQueue; }

 private:
  void archive(const std::string& file, const fs::path& content, const std::string& format) {
    run({.argv = {"cmake", "-E", "chdir", content.string(), "cmake", "-E", "tar",
                  format == "zip" ? "cf" : "czf", (folder_ / file).string(), "--format=" + format,
                  "."}});
  }

  const LabSpec& lab_;
  fs::path solution_;
  fs::path folder_;
  fs::path scratch_;
};

void fill(const Kit& kit, ClassFolder& folder) {
  folder.add_folder("ada");
  folder.add_wrapped_zip("ben.zip", kit.root / "starter");
  folder.add_flat_archive("cy.tar.gz");
  folder.add_changed(
      "daemon", "#include <unistd.h>",
      "  static const bool is_left = fork() == 0;\n  if (is_left) for (;;) pause();");
  folder.add_changed("device", "#include \"/dev/zero\"");
  folder.add_file("eve.zip", "this is no archive\n");
  folder.add_changed("latin", "// caf\xE9 \xFF");
  folder.add_link("link", "ada");
  folder.add_changed("loop", "", "  for (volatile int forever = 1; forever == 1;) {\n  }");
  folder.add_changed("neighbour", "#include \"" + folder.file_of("ada").string() + "\"");
  folder.add_changed("overwrites", "#include <fstream>",
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

}  // namespace

void check_class(const Kit& kit, Checks& checks) {
  if (landlock_version() == 0) return checks.unavailable("./lab class", "Landlock (Linux 5.13)");
  const fs::path folder = kit.build / "class-of-eleven";
  const fs::path out = kit.build / "class-results";
  fs::remove_all(out);
  ClassFolder submissions(kit, folder);
  fill(kit, submissions);
  write_file(kit.build / "roster.csv", "id,name,group\nada,\"Lovelace, Ada\",A\nzoe,Zoe,B\n");
  const std::vector<std::string> arguments = {
      "class", folder.string(), "--labs",   "01",
      "--out", out.string(),    "--roster", (kit.build / "roster.csv").string()};
  const Outcome first = run_lab(kit, arguments, "inner-class");
  check_rows(read_file(out / "scores.csv"), "first run", checks);
  checks.expect(first.ok() && first.output.find("cy") != std::string::npos,
                "a class of eleven is graded", first.output);
  const std::string canvas = read_file(out / "canvas.csv");
  checks.expect(canvas.find("\"Lovelace, Ada\",,ada,,A,126\nZoe,,zoe,,B,\n") != canvas.npos,
                "a table for Canvas", canvas);
  const std::string table = read_file(out / "scores.csv");
  fs::remove(out / "scores.csv");
  const Outcome second = run_lab(kit, arguments, "inner-class");
  checks.expect(read_file(out / "scores.csv") == table && second.output.find("ada") != table.npos,
                "a second run takes what is there", second.output);
  write_file(kit.build / "roster.csv", "id;name\n");
  checks.expect(run_lab(kit, arguments, "inner-class").exit_code == kExitUsage,
                "a roster that is none");
}

}  // namespace kv::grader
