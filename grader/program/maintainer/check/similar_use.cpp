// ./lab similar with input that is wrong, damaged or extreme.

#include "common/errors.h"
#include "grader/program/maintainer/check/handed_in_copies.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/similar.h"

namespace kv::grader {
namespace {

void check_refused_input(const Kit& kit, HandedInCopies& class_folder, Checks& checks) {
  const fs::path folder = class_folder.folder();
  const auto refused = [&](const std::string& name, const std::string& says,
                           const std::vector<std::string>& options = {}) {
    const SimilarRun run(kit, folder, options);
    expect_sentence(checks, name, run.outcome, kExitUsage, says);
  };
  refused("an empty folder", "holds no submission");
  class_folder.write("eve.zip", "this is no archive\n");
  refused("a damaged archive alone", "eve: the archive is damaged or empty");
  class_folder.add_alternative(kit.manifest.labs.front(), "whole-runs", "ada");
  refused("one submission", "has one submission only with files of the labs");
  class_folder.add_tree("ben", kit.manifest.labs.front(), "solution");
  refused("no such lab", "there is no lab \"99\"", {"--labs", "99"});
  refused("another lab than the submissions", "has no submission with files", {"--labs", "02"});
  refused("a share of 101", "--share", {"--share", "101"});
  const Outcome inside = run_lab(
      kit, {"similar", folder.string(), "--out", (folder / "report").string()}, "inner-similar");
  expect_sentence(checks, "--out among the submissions", inside, kExitUsage,
                  "in the folder of the submissions");
  const fs::path other = kit.build / "folder-of-others";
  write_file(other / "thesis.txt", "not ours\n");
  const Outcome occupied =
      run_lab(kit, {"similar", folder.string(), "--out", other.string()}, "inner-similar");
  expect_sentence(checks, "--out with other files", occupied, kExitUsage, "name a new folder");
  checks.expect(read_file(other / "thesis.txt") == "not ours\n", "other files are left alone");
}

void check_damaged_beside_others(const Kit& kit, HandedInCopies& class_folder, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  class_folder.add_alternative(lab, "whole-runs", "zoe");
  class_folder.archive("zoe");
  const std::string large = "large/" + lab.folder + "/free_kv_cache_block_queue.cpp";
  class_folder.write(large, std::string(300 * 1024, ' '));
  const SimilarRun run(kit, class_folder.folder());
  expect_sentence(checks, "a damaged archive beside others", run.outcome, kExitGraded,
                  "not compared: eve: the archive is damaged or empty");
  expect_sentence(checks, "a large file beside others", run.outcome, kExitGraded,
                  "is larger than 256 KiB and is not compared");
  checks.expect(run.pairs == std::set<std::string>{"01: ada, zoe"}, "the others are compared",
                run.text());
  expect_sentence(checks, "on the screen", run.outcome, kExitGraded,
                  "does not prove that one was copied");
}

void check_repetition(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const std::string file = "/" + lab.folder + "/free_kv_cache_block_queue.cpp";
  HandedInCopies class_folder(kit, kit.build / "class-of-repetition");
  std::string repeated;
  for (int i = 0; i < 16'000; ++i) repeated += "a = b + 1;\n";
  for (const std::string name : {"ada", "ben"}) {
    class_folder.add_alternative(lab, "whole-runs", name);
    const std::string text = class_folder.read(name + file);
    class_folder.write(name + file, name == "ada" ? text + repeated : repeated + text);
  }
  const SimilarRun run(kit, class_folder.folder());
  constexpr double kMaxSeconds = 10;  // about 1 s; quadratic, it would be minutes
  checks.expect(run.pairs.size() == 1 && run.outcome.seconds < kMaxSeconds,
                "two texts that repeat one statement 16,000 times take no longer than others",
                std::to_string(run.outcome.seconds) + " s\n" + run.text());
}

}  // namespace

void check_similar_use(const Kit& kit, Checks& checks) {
  HandedInCopies class_folder(kit, kit.build / "class-of-few");
  check_refused_input(kit, class_folder, checks);
  check_damaged_beside_others(kit, class_folder, checks);
  check_repetition(kit, checks);
}

}  // namespace kv::grader
