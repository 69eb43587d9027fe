#include <cstdio>

#include "common/errors.h"
#include "grader/program/base/commands/command_line.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/course/site/site_build.h"
#include "grader/program/student/steps/places.h"

namespace kv::grader {
namespace {

struct SiteOptions {
  std::string folder;  // empty: in the build folder
};

void declare_site(CLI::App& app, SiteOptions& options) {
  app.add_option("--out", options.folder,
                 "a new folder, or that of a site; build/lab/site by default");
  app.footer(
      "The texts of the kit as pages, in reading order, with a search. Open its index.html: no\n"
      "server is needed. Its tools come from PyPI, when the command runs for the first time.");
}

int site_command(const Kit& kit, const SiteOptions& options) {
  refuse_handout(kit, "./lab site");
  const fs::path folder = options.folder.empty() ? kit.build / "site" : fs::path(options.folder);
  const Site site = build_site(kit, installed_mkdocs(kit), folder);
  const fs::path index = fs::absolute(site.folder / "index.html");
  std::printf("%zu pages in %.0f s: open %s\n", site.num_pages, site.seconds,
              printable(steps::shown_path(kit, index)).c_str());
  return kExitGraded;
}

}  // namespace

void add_site_command(CommandLine& line) {
  line.add<SiteOptions>("site", "the course as pages to read, with a search", declare_site,
                        site_command);
}

}  // namespace kv::grader
