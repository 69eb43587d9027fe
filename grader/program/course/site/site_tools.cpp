#include "grader/program/course/site/site_tools.h"

#include "common/errors.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {
namespace {

std::string last_line(const std::string& output) {
  const std::vector<std::string> lines = split_lines(output);
  return lines.empty() ? "" : lines.back();
}

void install(const fs::path& requirements, const fs::path& folder) {
  if (!is_installed("python3"))
    throw UsageError("missing: python3. To get it: apt-get install python3 python3-venv");
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

}  // namespace

fs::path installed_mkdocs(const Kit& kit) {
  const fs::path requirements = kit.root / "docs/site/requirements.txt";
  const fs::path folder = kit.build / "site-tools" / "venv";
  const Lock lock(folder.parent_path());
  const fs::path copy = folder / "installed.txt";  // of what the folder was made from
  if (!fs::exists(copy) || read_file(copy) != read_file(requirements)) {
    std::fprintf(stderr, "lab: installing the tools of ./lab site, once ...\n");
    install(requirements, folder);
    write_file(copy, read_file(requirements));
  }
  return folder / "bin/mkdocs";
}

}  // namespace kv::grader
