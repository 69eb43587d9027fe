#include "grader/program/course/handout/handout_command.h"

#include <cstdio>

#include "common/errors.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/course/handout/handout_files.h"
#include "grader/program/course/handout/handout_pages.h"
#include "grader/program/course/handout/prebuilt.h"
#include "grader/program/course/handout/repository.h"

namespace kv::grader {
namespace {

using namespace handout;

std::string list_of(const std::set<std::string>& ids) {
  return ids.empty() ? "none" : join(std::vector<std::string>(ids.begin(), ids.end()), ", ");
}

}  // namespace

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
  texts["labs/manifest.json"] = manifest_text(kit, terms);
  const std::string what = "labs " + list_of(terms.labs) + "; open: " + list_of(terms.open);
  const std::string commit = repository.commit(texts, copies, "PagedLab: " + what);
  std::printf("%s: %s, %zu files\n", options.folder.c_str(), what.c_str(), copies.size() + 1);
  if (commit.empty()) std::printf("nothing has changed since the last commit\n");
  if (!commit.empty()) std::printf("commit %s; push it to where students get it\n", commit.c_str());
  return kExitGraded;
}

}  // namespace kv::grader
