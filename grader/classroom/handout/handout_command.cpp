#include <cstdio>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/classroom/handout/handout.h"
#include "grader/classroom/handout/repository.h"

namespace kv::grader {
namespace {

using namespace handout;

std::string list_of(const std::set<std::string>& ids) {
  return ids.empty() ? "none" : join(std::vector<std::string>(ids.begin(), ids.end()), ", ");
}

void declare_handout(CommandForm& form, HandoutOptions& options) {
  form.argument("FOLDER", options.folder, "new, or a handout that is made again").required();
  form.option("--labs", options.labs, "which labs, as 01-03 or 01,02; all if none is given")
      .comma_separated();
  form.option("--open", options.open, "labs whose solution is in it, as 01,02").comma_separated();
  form.option("--assistants", options.assistants,
              "the course's own rule on coding assistants, a sentence for AGENTS.md");
  form.footer(
      "The folder is a git repository. Labs that are not open have stubs in solution/, compiled\n"
      "objects for grading, and no bugs or alternatives. Run it again with --open 02, or with a\n"
      "newer kit: it makes a commit that students merge.");
}

int handout_command(const Kit& kit, const HandoutOptions& options) {
  refuse_handout(kit, "./lab handout");
  const Lock lock(kit.build);
  const fs::path folder = fs::absolute(options.folder);
  const Terms terms = terms_of(kit, options, terms_in(folder));
  Repository repository(folder);
  std::map<std::string, fs::path> copies = files_of(kit, terms);
  for (const LabSpec& lab : kit.manifest.labs) {
    if (terms.is_closed(lab)) copies.merge(prebuilt_objects(kit, lab));
  }
  std::map<std::string, std::string> texts = pages_of(kit, terms, copies);
  for (const auto& [name, text] : texts) {
    if (text.empty()) copies.erase(name);
  }
  std::erase_if(texts, [](const auto& page) { return page.second.empty(); });
  texts["handout.json"] = text_of(terms);
  texts["AGENTS.md"] = agents_text(kit, terms);
  texts["labs/manifest.json"] = manifest_text(kit, terms);
  const std::string what = "labs " + list_of(terms.labs) + "; open: " + list_of(terms.open);
  const std::string commit = repository.commit(texts, copies, "PagedLab: " + what);
  std::printf("%s: %s, %zu files\n", options.folder.c_str(), what.c_str(), copies.size() + 1);
  if (commit.empty()) std::printf("nothing has changed since the last commit\n");
  if (!commit.empty()) std::printf("commit %s; push it to where students get it\n", commit.c_str());
  return kExitGraded;
}

}  // namespace

void add_handout_command(CommandLine& line) {
  line.add<HandoutOptions>("handout", declare_handout, handout_command);
}

}  // namespace kv::grader
