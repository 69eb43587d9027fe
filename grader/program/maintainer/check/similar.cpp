#include "grader/program/maintainer/check/similar.h"

#include "common/cpptext/functions.h"
#include "common/errors.h"
#include "grader/program/course/classroom/csv.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/handed_in_copies.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

SimilarRun::SimilarRun(const Kit& kit, const fs::path& folder, std::vector<std::string> options)
    : out(kit.build / "similar-report") {
  options.insert(options.begin(), {"similar", folder.string(), "--out", out.string()});
  outcome = run_lab(kit, options, "inner-similar");
  if (!fs::exists(out / "pairs.csv")) return;
  std::vector<classroom::CsvLine> lines =
      classroom::parse_csv(read_file(out / "pairs.csv"), "pairs.csv");
  for (std::size_t i = 1; i < lines.size(); ++i)
    pairs.insert(lines[i][0] + ": " + lines[i][1] + ", " + lines[i][2]);
}

std::string SimilarRun::text() const {
  std::string text = outcome.output;
  for (const std::string& pair : pairs) text += "\nlisted: " + pair;
  return text;
}

namespace {

struct Copy {
  std::string name, lab, alternative;
  std::string (*disguise)(const std::string&);
};

std::string disguised(const std::string& source) {
  return reformatted(commented(reordered(renamed(source))));
}

const std::vector<Copy> kCopies = {
    {"renamed", "01", "whole-runs", renamed},
    {"reordered", "02", "counted-pool", reordered},
    {"reformatted", "03", "ordered-prefixes", reformatted},
    {"commented", "04", "rebuilt-tables", commented},
    {"disguised", "05", "tokens-outside", disguised},
    {"disguised-kernel", "06", "last-block-merges", disguised},
};

// The alternative "two-maps" with one function of another one.
void add_partial_copy(const Kit& kit, HandedInCopies& class_folder) {
  const LabSpec& lab = kit.manifest.lab("04");
  const std::string file = "/" + lab.folder + "/kv_cache_manager.cpp";
  class_folder.add_alternative(lab, "two-maps", "partly");
  class_folder.add_alternative(lab, "looking-ahead");
  const std::string from = class_folder.read("04-looking-ahead" + file);
  std::string to = class_folder.read("partly" + file);
  const auto copied = find_function(from, "allocate_slots");
  const auto replaced = find_function(to, "allocate_slots");
  if (!copied || !replaced) throw KitBroken("an alternative of lab 04 has no allocate_slots");
  const std::string body = renamed(from.substr(copied->begin, copied->close + 1 - copied->begin));
  to.replace(replaced->begin, replaced->close + 1 - replaced->begin, body);
  class_folder.write("partly" + file, to);
}

void expect_no_pair(const SimilarRun& run, const std::string& name, Checks& checks) {
  checks.expect(run.outcome.ok() && run.pairs.empty(), name + ": no pair is listed", run.text());
}

// Every pair that has to be listed, and no other.
void check_copies(const Kit& kit, Checks& checks) {
  HandedInCopies class_folder(kit, kit.build / "class-of-copies");
  class_folder.add_alternatives();
  expect_no_pair(SimilarRun(kit, class_folder.folder()), "the alternatives", checks);
  class_folder.add_known_bugs();
  expect_no_pair(SimilarRun(kit, class_folder.folder()), "with the known bugs", checks);
  std::set<std::string> expected;
  for (const Copy& copy : kCopies) {
    const LabSpec& lab = kit.manifest.lab(copy.lab);
    class_folder.add_alternative(lab, copy.alternative, copy.name);
    class_folder.change(copy.name, lab, copy.alternative, copy.disguise);
    expected.insert(copy.lab + ": " + copy.lab + "-" + copy.alternative + ", " + copy.name);
  }
  add_partial_copy(kit, class_folder);
  expected.insert("04: 04-looking-ahead, partly");
  expected.insert("04: 04-two-maps, partly");
  const SimilarRun run(kit, class_folder.folder());
  for (const std::string& pair : expected)
    checks.expect(run.pairs.contains(pair), "found: " + pair, run.text());
  checks.expect(run.pairs == expected, "no other pair is listed", run.text());
}

void check_base_code(const Kit& kit, Checks& checks) {
  HandedInCopies class_folder(kit, kit.build / "class-of-base");
  for (const LabSpec& lab : kit.manifest.labs) {
    class_folder.add_tree("starter", lab, "starter");
    class_folder.add_tree("solution", lab, "solution");
    class_folder.add_tree("solution-too", lab, "solution");
    for (const std::string& header : lab.headers)
      class_folder.write("solution/" + lab.folder + "/" + header,
                         read_file(kit.lab_folder(lab) / header));
  }
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const std::string& file : lab.files) {
      const std::string path = "solution-too/" + lab.folder + "/" + file;
      class_folder.write(path, disguised(class_folder.read(path)));
    }
  }
  expect_no_pair(SimilarRun(kit, class_folder.folder(), {"--share", "0"}),
                 "starter, solution and contracts alone", checks);
}

// What more than 5 of a small class have does not count, unless the texts are the same.
void check_frequent(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  const std::string file = "/" + lab.folder + "/free_kv_cache_block_queue.cpp";
  for (const std::size_t num_texts : {5UL, 6UL}) {
    HandedInCopies class_folder(kit, kit.build / "class-of-alike");
    std::string statement;
    for (std::size_t i = 0; i < num_texts; ++i) {
      const std::string name = "s" + std::to_string(i);
      class_folder.add_alternative(lab, "whole-runs", name);
      statement += "int own = 1;\n";
      class_folder.write(name + file, class_folder.read(name + file) + statement);
    }
    const std::size_t num_pairs = num_texts > 5 ? 0 : num_texts * (num_texts - 1) / 2;
    const SimilarRun run(kit, class_folder.folder());
    checks.expect(run.pairs.size() == num_pairs,
                  std::to_string(num_texts) +
                      " nearly equal answers: " + std::to_string(num_pairs) + " pairs",
                  run.text());
    for (std::size_t i = 0; i < num_texts; ++i)
      class_folder.write("s" + std::to_string(i) + file, class_folder.read("s0" + file));
    const SimilarRun equal(kit, class_folder.folder());
    checks.expect(equal.pairs.size() == num_texts * (num_texts - 1) / 2,
                  std::to_string(num_texts) + " equal answers: all pairs", equal.text());
  }
}

// 47 equal answers are 1,081 pairs: more than pages are written, or rows of the table.
void check_many_pairs(const Kit& kit, Checks& checks) {
  HandedInCopies class_folder(kit, kit.build / "class-of-equals");
  for (int i = 0; i < 47; ++i)
    class_folder.add_alternative(kit.manifest.labs.front(), "whole-runs", "s" + std::to_string(i));
  const SimilarRun run(kit, class_folder.folder());
  const auto num_pages =
      std::distance(fs::directory_iterator(run.out / "pairs"), fs::directory_iterator());
  const std::string page = read_file(run.out / "index.html");
  checks.expect(run.pairs.size() == 1081 && num_pages == 200 &&
                    page.find("\"num_pairs\":1081") != page.npos &&
                    page.find("pairs/lab01-0200.html") != page.npos &&
                    page.find("pairs/lab01-0201.html") == page.npos,
                "1,081 pairs: all are in pairs.csv, 200 have a page", run.text());
}

}  // namespace

void check_similar(const Kit& kit, Checks& checks) {
  check_winnowing(checks);
  check_copies(kit, checks);
  check_base_code(kit, checks);
  check_frequent(kit, checks);
  check_many_pairs(kit, checks);
  check_similar_files(kit, checks);
  check_similar_use(kit, checks);
}

}  // namespace kv::grader
