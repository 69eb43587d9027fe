#include <algorithm>
#include <cstdio>

#include "base/commands/command_line.h"
#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/classroom/similar/similar_output.h"

namespace kv::grader {
namespace {

using namespace similar;

struct SimilarOptions {
  std::string folder = {};  // as for ./lab class
  std::string out = "similar-report";
  std::vector<std::string> labs = {};  // empty: all
  int share = similar::kDefaultShare;  // per cent of fingerprints from which a pair is listed
};

constexpr const char* kTable = "pairs.csv";
// Why a limit for a lab: nobody reads more pages, and each has its own texts.
constexpr std::size_t kMaxPages = 200;

// Why: a second run must not leave pages of the first, and must not remove files of others.
void empty_own_folder(const fs::path& out, const fs::path& submissions) {
  const fs::path inside = out.lexically_relative(submissions);
  if (fs::is_directory(submissions) && !inside.empty() && *inside.begin() != "..")
    throw UsageError("--out is in the folder of the submissions; name another folder");
  if (fs::exists(out) && !fs::is_directory(out))
    throw UsageError("--out " + out.string() + " is no folder; name another one");
  if (fs::exists(out) && !fs::is_empty(out) && !fs::exists(out / kTable))
    throw UsageError("--out " + out.string() + " has files of something else; name a new folder");
  for (const char* part : {"pairs", "jplag", "moss", "index.html", kTable})
    fs::remove_all(out / part);
  fs::create_directories(out);
  write_file(out / kTable, pairs_csv({}));
}

std::vector<LabText> texts_of(const LabSpec& lab,
                              const std::vector<Work>& works,
                              const BaseCode& base) {
  std::vector<LabText> texts(works.size());
  in_parallel(works.size(), [&](std::size_t i) {
    const auto files = works[i].files_of(lab);
    if (!files.empty()) texts[i] = lab_text(i, files, base);
  });
  std::erase_if(texts, [](const LabText& text) { return text.files.empty(); });
  return texts;
}

std::string page_file(const LabSpec& lab, std::size_t index) {
  return "pairs/lab" + lab.id + "-" + four_digits(index + 1) + ".html";
}

// The similar pairs of one lab, with their pages in `out`.
std::vector<SimilarPair> compare_lab(const Kit& kit,
                                     const LabSpec& lab,
                                     const std::vector<Work>& works,
                                     const BaseCode& base,
                                     const SimilarOptions& options) {
  std::vector<LabText> texts = texts_of(lab, works, base);
  exclude_frequent(texts);
  std::vector<SimilarPair> pairs = similar_pairs(texts, options.share);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SimilarPair& pair = pairs[i];
    pair.lab = lab.id;
    pair.left = works[texts[pair.shared.left].submission].name;
    pair.right = works[texts[pair.shared.right].submission].name;
    if (i >= kMaxPages) continue;
    pair.page_file = page_file(lab, i);
    write_file(fs::path(options.out) / pair.page_file, pair_page(kit, pair, texts));
  }
  return pairs;
}

void print_summary(const std::vector<SimilarPair>& pairs,
                   const std::vector<Work>& works,
                   const fs::path& out) {
  for (const Work& work : works) {
    if (work.files.empty())
      std::printf("not compared: %s: %s\n", printable(work.name).c_str(),
                  printable(work.note).c_str());
  }
  std::printf("%s\n", screen_table(pairs).c_str());
  for (const char* sentence : kNoProof) std::printf("%s\n", sentence);
  std::printf("\ntable: %s\npage: %s\nfor JPlag: %s\nfor MOSS: %s\n", (out / kTable).c_str(),
              (out / "index.html").c_str(), (out / "jplag" / "README.txt").c_str(),
              (out / "moss" / "README.txt").c_str());
}

void declare_similar(CommandForm& form, SimilarOptions& options) {
  form.argument("FOLDER", options.folder, "the submissions, as for ./lab class").required();
  form.option("--out", options.out, "folder for the results; similar-report by default");
  declare_only_labs(form, options.labs);
  form.option("--share", options.share,
              "per cent of a submission's own fingerprints from which a pair is listed; 50 by\n"
              "default. A pair with one long common place is listed in any case.")
      .between(0, 100);
  form.footer(
      "Names, layout, comments and the order of functions make no difference. What the starter,\n"
      "the solution, a contract or many submissions have does not count. Similarity is a reason\n"
      "to read two texts, and proves nothing.");
}

int similar_command(const Kit& kit, const SimilarOptions& options) {
  const fs::path scratch = kit.build / "similar";
  const Lock lock(scratch);
  const auto labs = kit.manifest.chosen(options.labs);
  fs::remove_all(scratch / "handed-in");
  const std::vector<Work> works = collect_works(kit, options.folder, labs, scratch / "handed-in");
  const fs::path out = fs::absolute(options.out).lexically_normal();
  empty_own_folder(out, fs::absolute(options.folder).lexically_normal());
  const BaseCode base(kit);
  std::vector<SimilarPair> pairs;
  for (const LabSpec* lab : labs) {
    for (SimilarPair& pair : compare_lab(kit, *lab, works, base, options))
      pairs.push_back(std::move(pair));
  }
  std::ranges::stable_sort(pairs, std::greater<>{}, &SimilarPair::num_tokens);
  write_file(out / kTable, pairs_csv(pairs));
  write_file(out / "index.html", table_page(kit, pairs, works));
  export_for_jplag(works, base, out / "jplag");
  export_for_moss(works, base, out / "moss");
  fs::remove_all(scratch / "handed-in");
  print_summary(pairs, works, out);
  return kExitGraded;
}

}  // namespace

void add_similar_command(CommandLine& line) {
  line.add<SimilarOptions>("similar", declare_similar, similar_command);
}

}  // namespace kv::grader
