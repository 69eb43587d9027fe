// The programs of a student compile with the other compiler, too, without a warning. The first one
// has compiled them for this program, with warnings as errors (grader/tests/compiler_cache.sh). And
// each program links: this one has the libraries of all, so it says nothing of the others.

#include "common/errors.h"
#include "grader/program/base/build/diagnostics.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {
namespace {

using Words = std::vector<std::string>;

Outcome build_programs(const Kit& kit,
                       const fs::path& folder,
                       const Words& options,
                       const Words& targets) {
  Words configure = {"cmake",
                     "-S",
                     (kit.root / "grader").string(),
                     "-B",
                     folder.string(),
                     "-DFETCHCONTENT_BASE_DIR=" + (kit.build / "fetched").string()};
  configure.insert(configure.end(), options.begin(), options.end());
  const Outcome configured = run({.argv = configure});
  if (!configured.ok()) throw KitBroken("grader/ cannot be set up:\n" + configured.output);
  Words build = {"cmake", "--build", folder.string(), "--target"};
  build.insert(build.end(), targets.begin(), targets.end());
  return run({.argv = build, .environment = {{"LC_ALL", "C.UTF-8"}}});
}

// Why without objects: what is looked at is what the compiler says. Why a build type: CMake's own
// tests of the compiler do not use its flags.
Outcome compile_without_objects(const Kit& kit, const std::string& compiler) {
  return build_programs(kit, kit.build / ("programs-" + compiler),
                        {"-DCMAKE_CXX_COMPILER=" + compiler, "-DCMAKE_BUILD_TYPE=Look",
                         "-DCMAKE_CXX_FLAGS_LOOK=-fsyntax-only -Werror"},
                        {"lab_base", "lab_grading", "lab_pages", "lab_cuda", "simt_rewriter",
                         "simt_runtime_objects"});
}

}  // namespace

void check_programs(const Kit& kit, Checks& checks) {
  const Outcome linked =
      build_programs(kit, kit.build / "programs", {},
                     {"lab_student", "lab_watch", "lab_bench", "lab_simt", "lab_course"});
  checks.expect(linked.ok(), "each program of ./lab links by itself", linked.output);
  const std::string compiler = shared_compiler() == "g++" ? "clang++" : "g++";
  const std::string name = "a student's programs, " + compiler + ": no error, no warning";
  if (!is_installed(compiler)) return checks.unavailable(name, compiler);
  const Outcome outcome = compile_without_objects(kit, compiler);
  checks.expect(outcome.ok(), name, first_error(outcome.output));
}

}  // namespace kv::grader
