#include <regex>

#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/base/kit/json.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/report/report.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {
namespace {

// The error has to be the only line: below a page of help nobody sees it.
void check_unknown_command(const Kit& kit, const KitCopy& copy, Checks& checks) {
  const std::string says = "lab: there is no command \"grad\"; run ./lab help\n";
  const Outcome script = run({.argv = {(kit.root / "lab").string(), "grad"}});
  for (const Outcome& outcome : {script, copy.lab({"grad"})}) {
    checks.expect(outcome.exit_code == kExitUsage && outcome.output == says,
                  "no such command: exit 2 and one line", outcome.output);
  }
}

void check_wrong_use(const Kit& kit, const KitCopy& copy, Checks& checks) {
  std::vector<std::string> folders;
  for (const LabSpec& lab : kit.manifest.labs) folders.push_back(lab.folder);
  const std::string no_lab = "there is no lab \"99\"; the labs are " + join(folders, ", ");
  expect_sentence(checks, "no such lab", copy.lab({"grade", "99"}), kExitUsage, no_lab);
  expect_sentence(checks, "no such lab to mutate", copy.lab({"mutate", "99"}), kExitUsage, no_lab);
  expect_sentence(checks, "no such tree", copy.lab({"grade", "--tree", "/nowhere"}), kExitUsage,
                  "no folder \"/nowhere\"");
  expect_sentence(checks, "no such option", copy.lab({"grade", "--fast"}), kExitUsage,
                  "--fast; run ./lab grade --help");
  expect_sentence(checks, "nvcc for a lab that is not in CUDA", copy.lab({"grade", "01", "--nvcc"}),
                  kExitUsage, "--nvcc is for labs in CUDA");
  check_unknown_command(kit, copy, checks);
  expect_sentence(checks, "a time limit of 0", copy.lab({"grade", "--timeout", "0"}), kExitUsage,
                  "--timeout");
  expect_sentence(checks, "the clone as a tree",
                  copy.lab({"grade", "--tree", copy.root().string()}), kExitUsage,
                  "did you mean --tree starter?");
  expect_sentence(checks, "checks that do not exist", copy.lab({"test", "--only", "nothing"}),
                  kExitUsage, "no group of checks has \"nothing\" in its title");
  fs::create_directories(copy.root() / "empty");
  expect_sentence(checks, "a tree without the lab's files",
                  copy.lab({"grade", "--tree", (copy.root() / "empty").string()}), kExitUsage,
                  "holds no file of the labs");
  expect_sentence(checks, "a build folder that cannot exist",
                  copy.lab({"grade"}, {{"LAB_BUILD_DIR", "/dev/null/build"}}), kExitUsage,
                  "LAB_BUILD_DIR=");
}

void check_cuda_use(const KitCopy& copy, Checks& checks) {
  expect_sentence(checks, "no such CUDA program", copy.lab({"simt", "/nowhere.cu"}), kExitUsage,
                  "no file \"/nowhere.cu\"");
  const fs::path file = copy.root() / "launch.cu";
  write_file(file, "int main() {\n  kernel<<<1, 32>>>;\n}\n");
  expect_sentence(checks, "a launch without arguments", copy.lab({"simt", file.string()}),
                  kExitUsage, "launch.cu:2: no arguments follow >>>");
  const Outcome validated =
      copy.lab({"gpu-validate"}, {{"PATH", (copy.root() / "empty").string()}});
  expect_sentence(checks, "gpu-validate without its tools", validated, kExitUsage,
                  "this machine lacks nvcc, ncu, compute-sanitizer, an NVIDIA GPU");
}

void check_report_provenance(const Json& report, Checks& checks) {
  const std::string kit = report["kit"].dump();
  const std::string compiler = report["compiler"].dump();
  const std::string date = report["date"];
  const std::regex no_repository(R"(\{"version":"\d+\.\d+\.\d+","commit":""\})");
  const std::regex built(R"(\{"name":"(GNU|Clang) [0-9.]+","options":"C\+\+20 .*-O1 .*"\})");
  checks.expect(std::regex_match(kit, no_repository), "--json names the kit: " + kit, kit);
  checks.expect(std::regex_match(compiler, built), "--json names the compiler", compiler);
  checks.expect(std::regex_match(date, std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)")),
                "--json has the date in UTC", date);
}

void check_reports(const KitCopy& copy, Checks& checks) {
  expect_sentence(checks, "a report that cannot be written, after the one on the screen",
                  copy.lab({"grade", "01", "--json", "/dev/full"}), kExitUsage,
                  "cannot write /dev/full");
  const fs::path json = copy.root() / "out.json";
  const Outcome strict = copy.lab({"grade", "01", "--strict", "--json", json.string()});
  expect_sentence(checks, "--strict with nothing written", strict, kExitNotFull, "total 0/");
  checks.expect(read_file(json).find("\"max_score\": 100") != std::string::npos,
                "--json is written");
  check_report_provenance(Json::parse(read_file(json)), checks);
  for (const std::string name : {"1", "01-free-queue"}) {
    expect_sentence(checks, "a lab called " + name, copy.lab({"grade", name}), kExitGraded,
                    "total 0/100");
  }
}

void check_submissions(const Kit& kit, const KitCopy& copy, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const fs::path file = fs::path(lab.folder) / lab.files.front();
  const fs::path tree = copy.root() / "submitted";
  write_file(tree / file, read_file(kit.root / "solution" / file));
  const Outcome core_only = copy.lab({"grade", "01", "--tree", tree.string()});
  expect_sentence(checks, "a file that was not handed in", core_only, kExitGraded,
                  "graded as untouched");
  expect_sentence(checks, "a finished lab", core_only, kExitGraded,
                  "compare: ./lab diff '" + tree.string() + "' 01, then read labs/" + lab.folder +
                      "/README.md, \"" + kComparisonHeading + "\"");
  const fs::path header = fs::path(lab.folder) / lab.headers.back();
  write_file(tree / header, replace_all(read_file(kit.lab_folder(lab) / lab.headers.back()),
                                        "KVCacheBlock* popleft();", "KVCacheBlock& popleft();"));
  expect_sentence(checks, "a copy of a contract with another result",
                  copy.lab({"grade", "01", "--tree", tree.string()}), kExitGraded,
                  "yours:    KVCacheBlock& popleft();");
  fs::remove(tree / header);
  write_file(tree / file, "#include \"nowhere.h\"\n");
  expect_sentence(checks, "a file that does not compile",
                  copy.lab({"grade", "01", "--tree", tree.string()}), kExitGraded,
                  "does not compile");
  fs::remove(copy.root() / "starter" / file);
  expect_sentence(checks, "a stub that was deleted", copy.lab({"grade", "01"}), kExitGraded,
                  "git checkout --");
}

// What ./lab grade builds before anything is written: nothing.
void check_first_grading(const KitCopy& copy, Checks& checks) {
  const fs::path build = copy.root() / "first build";
  const Outcome outcome = copy.lab({"grade"}, {{"LAB_BUILD_DIR", build.string()}});
  expect_sentence(checks, "an untouched clone", outcome, kExitGraded,
                  "That is right: nothing is written yet.");
  checks.expect(fs::exists(build / "stage") && !fs::exists(build / "grade"),
                "no lab of an untouched clone is built", outcome.output);
}

void check_diagnosis(const Kit& kit, const KitCopy& copy, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const Variation bug = load_variations(kit, lab, "known_bugs").front();
  Kit own_folder = kit;  // the group "known bugs" writes to the kit's at the same time
  own_folder.build = copy.root() / "build";
  const fs::path tree = write_variation(own_folder, lab, bug);
  expect_sentence(checks, "a known bug", copy.lab({"grade", lab.id, "--tree", tree.string()}),
                  kExitGraded, "looks like: " + bug.sentence);
  const std::vector<std::string> hint = {"hint", "--tree", tree.string()};
  expect_sentence(checks, "a hint", copy.lab(hint), kExitGraded, "looks like: " + bug.sentence);
  expect_sentence(checks, "a second hint", copy.lab(hint), kExitGraded, ", tier 1 of 3: ");
}

void check_broken_kit(const KitCopy& copy, Checks& checks) {
  const fs::path ledger = "grader/cases/01-free-queue/equivalent_mutants.txt";
  write_file(copy.root() / ledger, "a line that begins an entry\n");
  for (const std::string name : {"1", "01", "01-free-queue"}) {
    expect_sentence(checks, "a malformed ledger of lab " + name, copy.lab({"mutate", name}),
                    kExitKitBroken, "an entry needs a line");
  }
  const fs::path sheet = copy.root() / "labs" / "02-block-pool" / "lab.json";
  const std::string points = read_file(sheet);
  Json more = Json::parse(points);
  more["tests"][0]["points"] = more["tests"][0]["points"].get<int>() + 1;
  write_file(sheet, more.dump());
  expect_sentence(checks, "points that are more than 100", copy.lab({"grade", "01"}),
                  kExitKitBroken, "the core points add up to 101, not to 100");
  write_file(sheet, points);
  write_file(copy.root() / "labs" / "manifest.json", "{\"format\": 1,");
  expect_sentence(checks, "a malformed score sheet", copy.lab({"grade"}), kExitKitBroken,
                  "git checkout -- labs/manifest.json");
  fs::remove(copy.root() / "labs" / "manifest.json");
  expect_sentence(checks, "no score sheet", copy.lab({"grade"}), kExitKitBroken, "manifest.json");
}

}  // namespace

void check_commands(const Kit& kit, Checks& checks) {
  check_doctor(kit, checks);
  check_lab_script(kit, checks);
  const KitCopy copy(kit);
  check_first_grading(copy, checks);
  check_wrong_use(kit, copy, checks);
  check_cuda_use(copy, checks);
  check_reports(copy, checks);
  check_diagnosis(kit, copy, checks);
  check_machine(kit, copy, checks);
  check_new_lab(kit, copy, checks);
  check_submissions(kit, copy, checks);
  check_broken_kit(copy, checks);
}

}  // namespace kv::grader
