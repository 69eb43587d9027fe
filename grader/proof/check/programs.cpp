// The programs of a student compile with the other compiler, too, without a warning. The first one
// has compiled them for this program, with warnings as errors (grader/proof/compiler_cache.sh).

#include "base/builds/diagnostics.h"
#include "base/text/errors.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// Why without objects: what is looked at is what the compiler says. Why a build type: CMake's own
// tests of the compiler do not use its flags. Why -Wno-unused: with -fsyntax-only there is no use
// for -c, and clang 21 says so.
Outcome compile_without_objects(const Kit& kit, const std::string& compiler) {
  const std::string folder = (kit.build / ("programs-" + compiler)).string();
  const Outcome configured =
      run({.argv = {"cmake", "-S", (kit.root / "grader").string(), "-B", folder,
                    "-DCMAKE_CXX_COMPILER=" + compiler, "-DCMAKE_BUILD_TYPE=Look",
                    "-DCMAKE_CXX_FLAGS_LOOK=-fsyntax-only -Werror "
                    "-Wno-unused-command-line-argument",
                    "-DFETCHCONTENT_BASE_DIR=" + (kit.build / "fetched").string()}});
  if (!configured.ok()) throw KitBroken("grader/ cannot be set up:\n" + configured.output);
  return run({.argv = {"cmake", "--build", folder, "--target", "lab_base", "lab_grading",
                       "lab_pages", "lab_cuda", "simt_rewriter", "simt_runtime_objects"},
              .environment = {{"LC_ALL", "C.UTF-8"}}});
}

}  // namespace

void check_programs(const Kit& kit, Checks& checks) {
  const std::string compiler = shared_compiler() == "g++" ? "clang++" : "g++";
  const std::string name = "a student's programs, " + compiler + ": no error, no warning";
  if (!is_installed(compiler)) return checks.unavailable(name, compiler);
  const Outcome outcome = compile_without_objects(kit, compiler);
  checks.expect(outcome.ok(), name, first_error(outcome.output));
}

}  // namespace kv::grader
