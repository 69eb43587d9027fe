#include <cstdio>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/desk/handed_in/handed_in.h"
#include "grader/proof/viva/viva.h"

namespace kv::grader {
namespace {

struct VivaOptions {
  std::string submission = {};
  std::string lab = {};
  std::string out = "viva.html";
  std::optional<std::uint64_t> seed = {};
};

// FNV-1a: the same questions for the same name on every machine, and others for a neighbor.
std::uint64_t seed_of(const std::string& name) {
  std::uint64_t seed = 0xcbf29ce484222325;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return seed;
}

// The files that were handed in, and the stubs of those that were not.
fs::path tree_of(const Kit& kit, const VivaOptions& options, const LabSpec& lab) {
  const fs::path folder = kit.build / "viva";
  fs::remove_all(folder);
  const HandedIn handed_in = one_handed_in(options.submission, "", kit.manifest);
  const Fetched fetched = fetch_unless_folder(handed_in, folder / "handed-in");
  if (!fetched.problem.empty())
    throw UsageError("\"" + options.submission + "\" cannot be read: " + fetched.problem);
  const MappedTree mapped = map_files(kit.manifest, fetched.place);
  if (const auto why = mapped.unclear.find(lab.id); why != mapped.unclear.end())
    throw UsageError("lab " + lab.id + " is not clear: " + why->second);
  write_tree(mapped, folder / "tree");
  bool has_file = false;
  for (const std::string& file : lab.files) {
    const fs::path own = folder / "tree" / lab.folder / file;
    has_file |= fs::exists(own);
    if (!fs::exists(own)) write_file(own, read_file(kit.root / "starter" / lab.folder / file));
  }
  if (!has_file) throw UsageError("\"" + options.submission + "\" holds no file of lab " + lab.id);
  return folder / "tree";
}

void declare_viva(CommandForm& form, VivaOptions& options) {
  form.argument("SUBMISSION", options.submission, "a folder or an archive of one student")
      .required();
  form.argument("LAB", options.lab, "the lab to ask about").required();
  form.option("--out", options.out, "the page to write; viva.html by default");
  form.option("--seed", options.seed, "other questions; by default they depend on the name");
  form.footer(
      "Three to five questions from the student's own code, on a page to print: lines that are\n"
      "changed, calls to predict. The answers are on a page of their own. Each was found by\n"
      "running the student's code.");
}

int viva_command(const Kit& kit, const VivaOptions& options) {
  const Lock lock(kit.build);
  const LabSpec& lab = *kit.manifest.chosen({options.lab}).front();
  refuse_closed(kit, lab, "./lab viva");
  const fs::path tree = tree_of(kit, options, lab);
  const std::string name = fs::path(options.submission).filename().string();
  const std::uint64_t seed = options.seed.value_or(seed_of(name));
  std::vector<viva::Question> questions = viva::questions_on_changes(kit, lab, tree, seed, 3);
  for (viva::Question& question : viva::questions_on_calls(kit, lab, tree, seed, 2))
    questions.push_back(std::move(question));
  if (questions.empty())
    throw UsageError("nothing of lab " + lab.id + " is written there that could be asked about");
  const std::string title = "Lab " + lab.id + ", " + lab.title + ": questions for " + name;
  write_file(options.out, viva::page_of(printable(title), questions));
  std::printf("%s: %zu questions\n", options.out.c_str(), questions.size());
  return kExitGraded;
}

}  // namespace

void add_viva_command(CommandLine& line) {
  line.add<VivaOptions>("viva", declare_viva, viva_command);
}

}  // namespace kv::grader
