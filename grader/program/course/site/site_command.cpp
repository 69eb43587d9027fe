#include "grader/program/course/site/site_command.h"

#include <cstdio>

#include "common/errors.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/course/site/site_build.h"
#include "grader/program/course/site/site_tools.h"
#include "grader/program/student/steps/shown_path.h"

namespace kv::grader {

int site_command(const Kit& kit, const SiteOptions& options) {
  refuse_handout(kit, "./lab site");
  const fs::path folder = options.folder.empty() ? kit.build / "site" : fs::path(options.folder);
  const Site site = build_site(kit, installed_mkdocs(kit), folder);
  const fs::path index = fs::absolute(site.folder / "index.html");
  std::printf("%zu pages in %.0f s: open %s\n", site.num_pages, site.seconds,
              printable(desk::shown_path(kit, index)).c_str());
  return kExitGraded;
}

}  // namespace kv::grader
