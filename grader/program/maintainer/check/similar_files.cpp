// What ./lab similar writes: pages in which text stays text, and folders for other programs.

#include "common/errors.h"
#include "grader/program/course/classroom/csv.h"
#include "grader/program/maintainer/check/handed_in_copies.h"
#include "grader/program/maintainer/check/similar.h"

namespace kv::grader {
namespace {

const std::string kEndOfScript = "</script><script>document.title = 'owned'</script>";
const std::string kOddName = "b <b>& 'c d'";  // of a submission

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void check_page_texts(const SimilarRun& run, Checks& checks) {
  for (const char* file : {"index.html", "pairs/lab01-0001.html"}) {
    const std::string page = fs::exists(run.out / file) ? read_file(run.out / file) : "";
    checks.expect(count_of("</script>", page) == 3 && page.find("<b>&") == page.npos &&
                      page.find("\xFF") == page.npos,
                  std::string(file) + ": what students have written stays text", run.text());
    checks.expect(page.find("does not prove") != page.npos && page.find("ask both") != page.npos,
                  std::string(file) + ": says what similarity does not prove");
  }
  const std::string page = read_file(run.out / "pairs/lab01-0001.html");
  checks.expect(page.find("caf\xC3\xA9") != page.npos && count_of("\"place\":1}", page) > 20,
                "the page of a pair has both texts and marks the common places");
}

void check_second_run(const Kit& kit, HandedInCopies& class_folder, Checks& checks) {
  fs::remove_all(class_folder.folder() / "ada");
  class_folder.add_tree("cy", kit.manifest.labs.front(), "starter");
  const SimilarRun run(kit, class_folder.folder());
  checks.expect(run.outcome.ok() && run.pairs.empty() && !fs::exists(run.out / "pairs") &&
                    !fs::exists(run.out / "jplag/submissions/ada"),
                "a second run leaves nothing of the first", run.text());
}

// The command in a README, run in its folder with stubs of the programs, which print what they get.
std::string output_of_command(const fs::path& folder, const fs::path& stubs) {
  for (const char* program : {"java", "moss"}) {
    write_file(stubs / program, "#!/bin/sh\nfor word; do echo \"$word\"; done\n");
    fs::permissions(stubs / program, fs::perms::owner_all);
  }
  std::string script = "PATH=$STUBS:$PATH\ncd \"$FOLDER\"\n";
  for (const std::string& line : split_lines(read_file(folder / "README.txt"))) {
    if (line.starts_with("  ")) script += line + "\n";
  }
  return run({.argv = {"sh", "-ec", script},
              .environment = {{"STUBS", stubs.string()}, {"FOLDER", folder.string()}}})
      .output;
}

std::string missing_of(const std::string& words, const std::vector<std::string>& expected) {
  std::string missing;
  for (const std::string& word : expected) {
    if (("\n" + words).find("\n" + word + "\n") == std::string::npos) missing += word + "\n";
  }
  return missing;
}

void check_exports(const Kit& kit, const SimilarRun& run, Checks& checks) {
  const fs::path stubs = kit.build / "similar-stubs";
  const fs::path jplag = run.out / "jplag", moss = run.out / "moss";
  const std::string file = "01-free-queue/free_kv_cache_block_queue.cpp";
  const std::string flat = "01-free-queue.free_kv_cache_block_queue.cpp";
  checks.expect(fs::exists(jplag / "submissions" / "ada" / file) &&
                    fs::exists(jplag / "submissions" / kOddName / file) &&
                    fs::exists(jplag / "base" / "solution" / file) &&
                    fs::exists(jplag / "base" / "starter" / file),
                "JPlag: a folder for each submission, and the base code");
  const std::string to_jplag = output_of_command(jplag, stubs);
  const std::string absent = missing_of(to_jplag, {"-bc", "base", "submissions", "cpp"});
  checks.expect(absent.empty(), "JPlag: the command names both", absent + "in\n" + to_jplag);
  const std::string to_moss = output_of_command(moss, stubs);
  const std::string not_sent =
      missing_of(to_moss, {"-d", "-b", "base/solution." + flat, "base/starter." + flat,
                           "0001/" + flat, "0002/" + flat});
  checks.expect(not_sent.empty() && to_moss.find("names.csv") == to_moss.npos,
                "MOSS: the command sends base code and submissions, and no names",
                not_sent + "in\n" + to_moss);
  const auto names = classroom::parse_csv(read_file(moss / "names.csv"), "names.csv");
  checks.expect(names.size() == 3 && names[1] == classroom::CsvLine{"0001", "ada"} &&
                    names[2] == classroom::CsvLine{"0002", kOddName},
                "MOSS: names.csv says who is who");
}

}  // namespace

void check_similar_files(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  HandedInCopies class_folder(kit, kit.build / "class-with-markup");
  const std::string file = "/" + lab.folder + "/free_kv_cache_block_queue.cpp";
  class_folder.add_alternative(lab, "whole-runs", "ada");
  class_folder.add_alternative(lab, "whole-runs", kOddName);
  class_folder.write(kOddName + file, "// " + kEndOfScript + " caf\xC3\xA9 \xFF\n" +
                                          renamed(class_folder.read("ada" + file)));
  const SimilarRun run(kit, class_folder.folder());
  checks.expect(run.pairs == std::set<std::string>{"01: ada, " + kOddName}, "a copy beside markup",
                run.text());
  if (run.pairs.empty()) return;
  check_page_texts(run, checks);
  check_exports(kit, run, checks);
  check_second_run(kit, class_folder, checks);
}

}  // namespace kv::grader
