#include "grader/program/course/site/site_build.h"

#include <algorithm>
#include <chrono>

#include "common/errors.h"
#include "grader/program/base/process/process.h"
#include "grader/program/student/pages/worked_example.h"

namespace kv::grader {
namespace {

// Every site has it, and hardly another folder does.
constexpr const char* kSearchIndex = "search/search_index.js";

// Why: MkDocs empties the folder before it writes.
void refuse_other_folder(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw UsageError(folder.string() + " is no folder");
  if (fs::is_empty(folder) || fs::exists(folder / kSearchIndex)) return;
  throw UsageError(folder.string() + " has files that are no site; name a new folder: --out DIR");
}

// A page for each lab that has a worked example to play; its name is the lab's folder.
fs::path write_examples(const Kit& kit) {
  const fs::path folder = kit.build / "site-examples" / "pages";
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const LabSpec& lab : kit.manifest.labs) {
    if (pages::worked_example(kit, lab).empty()) continue;
    pages::write_example_page(kit, lab, folder / (lab.folder + ".html"));
  }
  return folder;
}

std::size_t num_pages_in(const fs::path& folder) {
  const auto is_page = [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".html";
  };
  return static_cast<std::size_t>(
      std::ranges::count_if(fs::recursive_directory_iterator(folder), is_page));
}

// What MkDocs has to say, without what it does.
std::string complaints_in(const std::string& output) {
  std::string complaints;
  for (const std::string& line : split_lines(output)) {
    if (!line.empty() && !line.starts_with("INFO")) complaints += "\n" + line;
  }
  return complaints;
}

}  // namespace

Site build_site(const Kit& kit, const fs::path& mkdocs, const fs::path& folder) {
  const Lock lock(kit.build / "site-examples");
  refuse_other_folder(folder);
  const auto started = std::chrono::steady_clock::now();
  // Why not --quiet: then no warning is counted, and --strict has no effect.
  const Outcome built =
      run({.argv = {mkdocs.string(), "build", "--strict", "--config-file",
                    (kit.root / "docs/site/mkdocs.yml").string(), "--site-dir",
                    fs::absolute(folder).string()},
           .environment = {{"PAGEDLAB_EXAMPLES", write_examples(kit).string()},
                           {"NO_MKDOCS_2_WARNING", "1"},         // of a later version
                           {"PYTHONDONTWRITEBYTECODE", "1"}}});  // the kit stays as it is
  if (!built.ok()) throw KitBroken("the site cannot be built:" + complaints_in(built.output));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return {.folder = folder, .num_pages = num_pages_in(folder), .seconds = seconds.count()};
}

}  // namespace kv::grader
