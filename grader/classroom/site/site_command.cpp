#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/desk/pages/worked_example.h"
#include "grader/desk/steps/places.h"

namespace kv::grader {
namespace {

std::string last_line(const std::string& output) {
  const std::vector<std::string> lines = split_lines(output);
  return lines.empty() ? "" : lines.back();
}

void install(const fs::path& requirements, const fs::path& folder) {
  require_installed("python3", "python3 python3-venv");
  fs::remove_all(folder);
  const Outcome made = run({.argv = {"python3", "-m", "venv", folder.string()}});
  if (!made.ok())
    throw UsageError("python3 cannot make a venv; apt-get install python3-venv (" +
                     last_line(made.output) + ")");
  const Outcome installed =
      run({.argv = {(folder / "bin/pip").string(), "install", "--quiet", "--require-hashes",
                    "--disable-pip-version-check", "--requirement", requirements.string()}});
  if (!installed.ok())
    throw UsageError(
        "the tools of ./lab site come from PyPI, once, and that failed; it needs the "
        "network and Python 3.11 (" +
        last_line(installed.output) + ")");
}

// The program that makes the site, of packages of Python in a folder of their own in the build
// folder. Installs what docs/site/requirements.txt names, unless it is there. Throws UsageError.
fs::path installed_mkdocs(const Kit& kit) {
  const fs::path requirements = kit.root / "docs/site/requirements.txt";
  const fs::path folder = kit.build / "site-tools" / "venv";
  const Lock lock(folder.parent_path());
  const fs::path copy = folder / "installed.txt";  // a copy of what the folder was made from
  if (!fs::exists(copy) || read_file(copy) != read_file(requirements)) {
    std::fprintf(stderr, "lab: installing the tools of ./lab site, once ...\n");
    install(requirements, folder);
    write_file(copy, read_file(requirements));
  }
  return folder / "bin/mkdocs";
}

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

// The page on which the solution serves a model without a server: a folder in the build folder. Why
// by a program of its own: this one has no part of what serves.
fs::path write_live_page(const Kit& kit) {
  const fs::path folder = kit.build / "site-live";
  fs::remove_all(folder);
  const Outcome written =
      run({.argv = {(kit.root / "lab").string(), "serve", "--tree", "solution", "--static",
                    folder.string(), "--course", "../labs/01-free-queue/index.html"}});
  if (!written.ok()) throw UsageError(last_line(written.output));
  return folder;
}

struct Site {
  fs::path folder;  // begin at its index.html
  std::size_t num_pages;
  double seconds;
};

// The texts of the kit as pages; docs/site/README.md says how they are made. mkdocs: the program.
// Throws UsageError: the folder has something else. Throws KitBroken: a link leads nowhere, or a
// text has no form that can be read.
Site build_site(const Kit& kit,
                const fs::path& mkdocs,
                const fs::path& folder,
                const fs::path& live) {
  const Lock lock(kit.build / "site-examples");
  refuse_other_folder(folder);
  const auto started = std::chrono::steady_clock::now();
  // Why not --quiet: then no warning is counted, and --strict has no effect.
  const Outcome built =
      run({.argv = {mkdocs.string(), "build", "--strict", "--config-file",
                    (kit.root / "docs/site/mkdocs.yml").string(), "--site-dir",
                    fs::absolute(folder).string()},
           .environment = {{"PAGEDLAB_EXAMPLES", write_examples(kit).string()},
                           {"PAGEDLAB_LIVE", live.empty() ? "" : "live/index.html"},
                           {"NO_MKDOCS_2_WARNING", "1"},         // no warning of a later version
                           {"PYTHONDONTWRITEBYTECODE", "1"}}});  // the kit stays as it is
  if (!built.ok()) throw KitBroken("the site cannot be built:" + complaints_in(built.output));
  if (!live.empty()) fs::copy(live, folder / "live");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  return {.folder = folder, .num_pages = num_pages_in(folder), .seconds = seconds.count()};
}

struct SiteOptions {
  std::string folder;  // empty: in the build folder
  bool has_engine = false;
};

void declare_site(CommandForm& form, SiteOptions& options) {
  form.option("--out", options.folder,
              "a new folder, or that of a site; build/lab/site by default");
  form.flag(
      "--live", options.has_engine,
      "with a page on which the solution serves a model in the reader's browser; needs em++ of "
      "Emscripten");
  form.footer(
      "The texts of the kit as pages, in reading order, with a search. Open its index.html: no\n"
      "server is needed. Its tools come from PyPI, when the command runs for the first time.");
}

int site_command(const Kit& kit, const SiteOptions& options) {
  refuse_handout(kit, "./lab site");
  const fs::path folder = options.folder.empty() ? kit.build / "site" : fs::path(options.folder);
  const fs::path live = options.has_engine ? write_live_page(kit) : "";
  const Site site = build_site(kit, installed_mkdocs(kit), folder, live);
  const fs::path index = fs::absolute(site.folder / "index.html");
  std::printf("%zu pages in %.0f s: open %s\n", site.num_pages, site.seconds,
              printable(steps::shown_path(kit, index)).c_str());
  return kExitGraded;
}

}  // namespace

void add_site_command(CommandLine& line) {
  line.add<SiteOptions>("site", declare_site, site_command);
}

}  // namespace kv::grader
