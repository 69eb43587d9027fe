#include "apps/commands/live_page.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <tuple>

#include "apps/commands/stack_program.h"
#include "base/builds/diagnostics.h"
#include "base/kit/json.h"
#include "base/page/page.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

constexpr const char* kCompiler = "em++";

// Why this number: the C++ library of older ones has no ranges.
constexpr int kOldestMajor = 3, kOldestMinor = 1, kOldestPatch = 50;

void require_emscripten() {
  if (!is_installed(kCompiler))
    throw UsageError(
        "em++ of Emscripten is not installed, which makes WebAssembly; Debian 13 and newer have "
        "it: apt-get install emscripten");
  const Outcome said = run({.argv = {kCompiler, "--version"}});
  int major = 0, minor = 0, patch = 0;
  const std::size_t at = said.output.find(") ");
  if (at != std::string::npos)
    std::sscanf(said.output.c_str() + at, ") %d.%d.%d", &major, &minor, &patch);
  if (std::tuple(major, minor, patch) < std::tuple(kOldestMajor, kOldestMinor, kOldestPatch))
    throw UsageError("em++ is older than 3.1.50; Debian 13 has one that is new enough");
}

// Builds engine.js of the files, and gives its place.
fs::path build_engine(const Kit& kit, const StackFiles& files) {
  const fs::path folder = kit.build / "live";
  const fs::path project = kit.root / "apps/live";
  const Submission& submission = files.submission;
  const Outcome configured =
      run({.argv = {"cmake", "-S", project.string(), "-B", folder.string(),
                    "-DCMAKE_TOOLCHAIN_FILE=" + (project / "emscripten.cmake").string(),
                    "-DLAB_TREE=" + fs::absolute(submission.stage).string()}});
  if (!configured.ok())
    throw KitBroken("the engine of the page cannot be set up:\n" + configured.output);

  std::cerr << "lab: compiling " << submission.name
            << " for browsers; this takes some minutes ...\n";
  const Outcome built = run({.argv = {"cmake", "--build", folder.string(), "--parallel", "2"}});
  if (!built.ok())
    throw UsageError("the code of " + submission.name + " does not compile for browsers:\n" +
                     submission.with_own_paths(first_error(built.output)));
  return folder / "engine.js";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// Whose labs compute.
std::string labs_of(const StackFiles& files, const StackProgram& program) {
  std::vector<std::string> others;
  for (const LabSpec* lab : program.labs)
    if (std::ranges::count(files.own_labs, lab->id) == 0) others.push_back(lab->id);
  const std::string own = "labs " + list_of(files.own_labs) + " of " + files.submission.name + "/";
  const std::string kit = others.empty() ? "" : ", and labs " + list_of(others) + " of the kit,";
  return own + kit + " manage its memory, in this browser.";
}

}  // namespace

pages::PageContent pool_page(const char* script,
                             const std::string& labs,
                             const std::string& course) {
  const std::string title = "The pool at work";
  const std::string subtitle = "A language model writes for many people at once: " + labs;
  Json data = {{"kind", "pool"}, {"title", title}, {"subtitle", subtitle}};
  if (!course.empty()) data["course"] = course;
  return {.script = script, .title = title, .data = data};
}

void write_live_page(const Kit& kit,
                     const std::string& tree,
                     const fs::path& folder,
                     const std::string& course) {
  require_emscripten();
  const Lock lock(kit.build);
  const StackProgram program = program_of_stack(kit, kit.manifest.lab("07"), "serve");
  const StackFiles files = files_of_finished_stack(kit, program, tree);
  const std::string engine =
      read_file(build_engine(kit, files)) + read_file(kit.root / "apps/live/worker.js");
  fs::create_directories(folder);
  write_file(folder / "engine.js", "globalThis.liveEngine = " + Json(engine).dump() + ";\n");
  pages::PageContent page = pool_page("apps/page/live_main.js", labs_of(files, program), course);
  page.has_engine = true;
  write_file(folder / "index.html", pages::page_text(kit.root, page));
}

}  // namespace kv::grader
