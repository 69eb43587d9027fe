// GoogleTest programs, each test of which is a check.

#include "base/kit/json.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// What a skipped test says last: the tool that it needs. GoogleTest's file does not have it.
std::string tool_of(const std::string& name, const std::string& output) {
  std::vector<std::string> lines =
      split_lines(output.substr(0, output.find("[  SKIPPED ] " + name)));
  std::erase(lines, "");
  return lines.empty() ? "" : lines.back();
}

// Has this machine the levels for which cmake/kv_lab.cmake builds tests of products?
bool runs_x86_64_v3() {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

bool runs_x86_64_v4() {
#ifdef __x86_64__
  return runs_x86_64_v3() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

// test: as GoogleTest writes it.
void count(const Json& test, const std::string& output, const fs::path& program, Checks& checks) {
  const std::string name = program.filename().string() + ": " +
                           test["classname"].get<std::string>() + "." +
                           test["name"].get<std::string>();
  if (test["result"] == "SKIPPED") return checks.unavailable(name, tool_of(name, output));
  std::string why;
  for (const Json& failure : test.value("failures", Json::array()))
    why += failure["failure"].get<std::string>() + "\n";
  checks.expect(test["result"] == "COMPLETED" && why.empty(), name, why);
}

// Why from a file: what a test prints can be between the lines of GoogleTest.
void run_unit_tests(const Kit& kit, const fs::path& program, Checks& checks) {
  const fs::path file = kit.build / "unit_tests.json";
  fs::remove(file);
  const Outcome outcome = run({.argv = {program.string(), "--gtest_output=json:" + file.string()}});
  const Json results = fs::exists(file) ? Json::parse(read_file(file)) : Json::object();
  for (const Json& suite : results.value("testsuites", Json::array()))
    for (const Json& test : suite["testsuite"]) count(test, outcome.output, program, checks);
  const bool has_ended =
      results.value("tests", 0) > 0 && outcome.ok() == (results["failures"] == 0);
  checks.expect(has_ended, program.filename().string() + " ends", outcome.output);
}

}  // namespace

void check_units(const Kit& kit, Checks& checks) {
  run_unit_tests(kit, kit.program.parent_path() / "grader_unit_tests", checks);
}

void check_harness(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  const auto solution = [&](const char* lab, const char* target) {
    return build.build(kit.manifest.lab(lab), "solution", target);
  };
  run_unit_tests(kit, solution("01", "harness_tests"), checks);
  run_unit_tests(kit, solution("07", "lab07_given_tests"), checks);
  for (const auto& [level, is_here] :
       {std::pair("x86-64-v3", runs_x86_64_v3()), std::pair("x86-64-v4", runs_x86_64_v4())}) {
    const std::string target = std::string("lab07_products_") + level;
    if (is_here)
      run_unit_tests(kit, solution("07", target.c_str()), checks);
    else
      checks.unavailable(target, std::string("a processor of the level ") + level);
  }
  const Outcome found = run({.argv = {solution("03", "collide").string(), "--seed", "7"}});
  checks.expect(found.ok(), "collide finds two blocks with one hash, and checks them",
                found.output);
}

}  // namespace kv::grader
