// A whole class: right and wrong work for labs 01 to 05, attacks, hangs and damaged files. It is
// killed in the middle and run again.

#include <algorithm>
#include <map>

#include "common/errors.h"
#include "grader/program/course/classroom/csv.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/class_folder.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/made_trees.h"
#include "grader/program/student/grading/signatures.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {
namespace {

using classroom::CsvLine;

struct ExpectedRow {
  std::string lab;
  std::string score;  // of this lab; empty: there is none, "*": any, kFewer: not all points
  std::string said;   // a part of the row
  std::string max_extra = {};
};

constexpr const char* kFewer = "fewer points";

class ClassOfSixty {
 public:
  explicit ClassOfSixty(const Kit& kit, const fs::path& folder)
      : kit_(kit), folder_(folder), scratch_(folder.string() + "-trees") {
    for (const LabSpec& lab : kit.manifest.labs) {
      if (!lab.is_cuda()) add_work(lab);
    }
    add_attacks();
    add_bombs();
    add_odd_files();
  }

  const fs::path& path() const { return folder_.path(); }
  const std::map<std::string, ExpectedRow>& expected() const { return expected_; }

 private:
  const LabSpec& first() const { return kit_.manifest.labs.front(); }

  void add(const std::string& kind,
           const LabSpec& lab,
           const fs::path& tree,
           const std::string& score,
           const std::string& said) {
    const std::string name = kind + "-" + lab.id;
    folder_.add_lab(name, lab, tree);
    expected_[name] = {lab.id, score, said, std::to_string(lab.max_points(false))};
  }

  // Submissions for one lab: nothing, the half, all, an alternative, three known bugs.
  void add_work(const LabSpec& lab) {
    add("untouched", lab, kit_.root / "starter", "0", "not started");
    add("solved", lab, kit_.root / "solution", "100", "done");
    add_half(lab);
    const fs::path alternatives = kit_.case_folder(lab) / "alternatives";
    add("otherwise", lab,
        write_alternative(kit_, lab, fs::directory_iterator(alternatives)->path()), "100", "done");
    const std::vector<Variation> bugs = bugs_with_a_message(lab);
    for (const std::size_t i : {std::size_t{0}, bugs.size() / 2, bugs.size() - 1})
      add("bug-" + bugs[i].name, lab, write_variation(kit_, lab, bugs[i]), kFewer, "");
  }

  // Those that a report can name: of some there is a count only, or another one in each run.
  std::vector<Variation> bugs_with_a_message(const LabSpec& lab) const {
    const std::vector<Signature> signatures = load_signatures(kit_, lab);
    std::vector<Variation> bugs = load_variations(kit_, lab, "known_bugs");
    std::erase_if(bugs, [&](const Variation& bug) {
      const auto own = std::ranges::find(signatures, bug.name, &Signature::name);
      return own == signatures.end() || std::ranges::all_of(own->failing, [](const auto& test) {
               return test.second.empty();
             });
    });
    return bugs;
  }

  // A submission that goes as far as the step in the middle; later steps are stubs.
  void add_half(const LabSpec& lab) {
    std::vector<StepSpec> steps = lab.steps;
    std::erase_if(steps, [&](const StepSpec& step) { return !lab.is_core(step); });
    const std::string last = steps[steps.size() / 2].number;
    write_stair(kit_, lab, last, scratch_ / "half");
    const LabSpec done =
        lab.with_tests([&](const TestSpec& test) { return !step_before(last, test.step); });
    add("half", lab, scratch_ / "half", std::to_string(done.max_points(true)), "in progress");
  }

  // All that earn points, and two that have no end.
  void add_attacks() {
    for (const Variation& attack : load_variations(kit_, first(), "hostile")) {
      const bool is_endless = attack.name == "loops" || attack.name == "sleeps";
      if (attack.flag.empty() && !is_endless) continue;
      const fs::path tree = write_variation(kit_, first(), attack);
      add("attack-" + attack.name, first(), tree, "*", attack.flag);
    }
  }

  // They take the compiler's time and memory.
  void add_bombs() {
    const std::string file = first().files.front();
    const std::map<std::string, std::string> bombs = {
        {"bomb-device", "#include \"/dev/zero\""},
        {"bomb-constexpr",
         "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nconstexpr int x = "
         "f(60);"},
        {"bomb-template",
         "template <int N, int M> struct Tree {\n  typename Tree<N - 1, 2 * M>::T left;\n"
         "  typename Tree<N - 1, 2 * M + 1>::T right;\n  using T = Tree;\n};\n"
         "template <int M> struct Tree<0, M> { using T = Tree; };\nTree<40, 1> tree;"}};
    for (const auto& [name, text] : bombs) {
      add(name, first(), kit_.root / "solution", "0", "does not compile");
      folder_.put_on_top(name + "-" + first().id, first(), file, text);
    }
  }

  void add_odd_files() {
    const std::string file = first().files.front();
    const fs::path solution = kit_.root / "solution";
    add("latin", first(), solution, "100", "done");
    folder_.put_on_top("latin-" + first().id, first(), file, "// caf\xE9 \xFF");
    add("crlf", first(), solution, "100", "done");
    const fs::path crlf = folder_.file_of("crlf-" + first().id, first(), file);
    write_file(crlf, replace_all(read_file(crlf), "\n", "\r\n"));
    add("bom", first(), solution, "100", "done");
    const fs::path bom = folder_.file_of("bom-" + first().id, first(), file);
    write_file(bom, "\xEF\xBB\xBF" + read_file(bom));
    add("na\xC3\xAFve name, with blanks", first(), solution, "100", "done");
    add("neighbour", first(), solution, "0", "does not compile");
    folder_.put_on_top("neighbour-01", first(), file,
                       "#include \"" + folder_.file_of("solved-01", first(), file).string() + "\"");
    folder_.add_flat_archive("flat", first(), solution);
    expected_["flat"] = {"01", "100", "done"};
    folder_.add_wrapped_zip("wrapped", first(), kit_, solution);
    expected_["wrapped"] = {"01", "100", "done"};
    folder_.add_file("damaged.zip", "this is no archive\n");
    expected_["damaged"] = {"01", "", "damaged or empty"};
    folder_.add_file("empty/notes.txt", "I was ill.\n");
    expected_["empty"] = {"01", "", "holds no file of any lab"};
    folder_.add_link("link", first(), file, "solved-01");
    expected_["link"] = {"01", "", "symbolic link"};
  }

  const Kit& kit_;
  ClassFolder folder_;
  fs::path scratch_;
  std::map<std::string, ExpectedRow> expected_;
};

using Fields = std::map<std::string, std::string>;  // by column

std::map<std::string, Fields> rows_of(const fs::path& file) {
  const std::vector<CsvLine> lines = classroom::parse_csv(read_file(file), file.string());
  std::map<std::string, Fields> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    for (std::size_t column = 0; column < lines[i].size(); ++column)
      rows[lines[i][0]][lines[0][column]] = lines[i][column];
  }
  return rows;
}

bool has_expected_score(const ExpectedRow& expected, const Fields& row) {
  const std::string score = row.at("lab" + expected.lab);
  if (expected.score != kFewer) return expected.score == "*" || score == expected.score;
  return row.at("state" + expected.lab) != "done" ||
         row.at("extra" + expected.lab) != expected.max_extra;
}

void check_rows(const ClassOfSixty& submissions,
                const std::map<std::string, Fields>& rows,
                Checks& checks) {
  for (const auto& [name, expected] : submissions.expected()) {
    const auto found = rows.find(name);
    std::string line;
    if (found != rows.end()) {
      for (const auto& [column, text] : found->second) line += column + ": " + text + "\n";
    }
    const bool has_score = found != rows.end() && has_expected_score(expected, found->second);
    checks.expect(has_score && line.find(expected.said) != line.npos,
                  name + ": " + expected.score + ", " + expected.said, line);
  }
  checks.expect(rows.size() == submissions.expected().size(),
                std::to_string(rows.size()) + " rows");
}

// Right work and alternatives have none.
void check_no_flags(const std::map<std::string, Fields>& rows, Checks& checks) {
  for (const auto& [name, row] : rows) {
    if (name.starts_with("solved") || name.starts_with("otherwise"))
      checks.expect(row.at("flags").empty(), name + ": no flag", row.at("flags"));
  }
}

void check_diagnoses(const std::map<std::string, Fields>& rows, Checks& checks) {
  const auto is_named = [](const auto& row) {
    return row.first.starts_with("bug-") && !row.second.at("diagnosis").empty();
  };
  const auto num_named = std::ranges::count_if(rows, is_named);
  checks.expect(num_named >= 12, std::to_string(num_named) + " of 15 known bugs are named");
}

// The times of submissions that were graded to the end.
std::string times_of(const std::map<std::string, Fields>& rows) {
  std::vector<int> seconds;
  for (const auto& [name, row] : rows) {
    if (!row.at("score").empty()) seconds.push_back(std::stoi(row.at("seconds")));
  }
  std::ranges::sort(seconds);
  return "seconds of a submission: median " + std::to_string(seconds[seconds.size() / 2]) +
         ", most " + std::to_string(seconds.back());
}

}  // namespace

void check_class_of_sixty(const Kit& kit, Checks& checks) {
  if (landlock_version() == 0) return checks.unavailable("./lab class", "Landlock (Linux 5.13)");
  const ClassOfSixty submissions(kit, kit.build / "class-of-sixty");
  const fs::path out = kit.build / "class-of-sixty-results";
  fs::remove_all(out);
  const std::vector<std::string> arguments = {"class",  submissions.path().string(),
                                              "--labs", "01,02,03,04,05",
                                              "--out",  out.string(),
                                              "--wall", "300",
                                              "--jobs", "2"};
  // Kills it when 20 rows are there.
  const std::string script =
      "\"$0\" \"$@\" & until [ \"$(ls \"$OUT/submissions\" | wc -l)\" -ge 20 ] || ! kill -0 $!; do "
      "sleep 0.2; "
      "done 2>/dev/null; kill -9 $!";
  Command command{.argv = {"sh", "-c", script, kit.program.string()},
                  .environment = {{"LAB_BUILD_DIR", (kit.build / "inner-sixty").string()},
                                  {"OUT", out.string()}}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  run(command);
  const std::size_t num_killed = rows_of(out / "scores.csv").size();
  checks.expect(num_killed >= 19 && num_killed < submissions.expected().size(),
                "killed, with " + std::to_string(num_killed) + " rows");
  const Outcome second = run_lab(kit, arguments, "inner-sixty");
  const std::map<std::string, Fields> rows = rows_of(out / "scores.csv");
  check_rows(submissions, rows, checks);
  check_no_flags(rows, checks);
  check_diagnoses(rows, checks);
  checks.expect(second.ok(), times_of(rows), second.output);
}

}  // namespace kv::grader
