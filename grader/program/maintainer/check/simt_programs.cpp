// Programs that check the results of CUDA calls, and `./lab simt` with bad input.

#include <map>
#include <regex>

#include "common/errors.h"
#include "grader/program/base/kit/json.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

void check_program(const Kit& kit,
                   const std::string& file,
                   const std::string& says,
                   Checks& checks) {
  const fs::path path = kit.root / "simt" / "tests" / file;
  for (const std::string compiler : {"g++", "clang++"}) {
    const std::string name = file + ", " + compiler + ": " + says;
    if (!is_installed(compiler)) {
      checks.unavailable(name, compiler);
      continue;
    }
    const Outcome outcome = run_lab(kit, {"simt", path.string(), "--compiler", compiler});
    const bool is_said = outcome.output.find(says) != std::string::npos;
    checks.expect(outcome.ok() && is_said, name, outcome.output);
  }
}

void check_wrong_use(const Kit& kit, Checks& checks) {
  const fs::path folder = kit.build / "simt-wrong-use";
  const auto expect = [&](const std::string& source, int exit_code, const std::string& says,
                          const std::vector<std::string>& options = {}) {
    write_file(folder / "wrong.cu", source);
    std::vector<std::string> arguments{"simt", (folder / "wrong.cu").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_lab(kit, arguments);
    const bool is_said = outcome.output.find(says) != std::string::npos;
    checks.expect(outcome.exit_code == exit_code && is_said,
                  "./lab simt: exit " + std::to_string(exit_code) + ", \"" + says + "\"",
                  "exit " + std::to_string(outcome.exit_code) + "\n" + outcome.output);
  };
  const std::string fine = "int main(int argc, char**) { return argc - 1; }\n";
  expect(fine, kExitGraded, "no findings");
  expect(fine, kExitNotFull, "ended with exit code 2", {"--", "two", "words"});
  expect(fine, kExitUsage, "--schedule", {"--schedule", "random"});
  expect(fine, kExitUsage, "no compiler \"nvc++\"", {"--compiler", "nvc++"});
  expect(fine, kExitKitBroken, "the disk is full", {"--json", "/dev/full"});
  expect("int main() { return missing; }\n", kExitUsage, "does not compile");
  expect("void unused();\n", kExitUsage, "does not link");
  expect("int main() { kernel<<<1, 1; }\n", kExitUsage, "wrong.cu:1: this <<< has no >>>");
  expect("void f(int) {}\nint main() { f << <1, 1>> >(2); }\n", kExitNotFull,
         "'f' is launched with <<<>>> and is no kernel");
  expect("int main() { abort(); }\n", kExitNotFull, "ended by signal 6");
  const Outcome absent = run_lab(kit, {"simt", "/nowhere.cu"});
  checks.expect(absent.exit_code == kExitUsage &&
                    absent.output.find("no file \"/nowhere.cu\"") != std::string::npos,
                "./lab simt: a file that is not there", absent.output);
}

// The name of a kernel ends before its parameters, also where a parameter has a "(".
void check_kernel_name(const Kit& kit, Checks& checks) {
  const fs::path file = kit.build / "simt-wrong-use" / "kernel_name.cu";
  write_file(file,
             "__global__ void fill(float (*rows)[4]) { rows[1][0] = 1; }\n"
             "int main() { fill<<<1, 1>>>(nullptr); }\n");
  const Outcome outcome = run_lab(kit, {"simt", file.string()});
  checks.expect(outcome.output.find("of fill\n") != std::string::npos,
                "the name of a kernel whose parameter is a pointer to an array", outcome.output);
}

void check_last_line(const Kit& kit, Checks& checks) {
  const fs::path file = kit.build / "simt-wrong-use" / "last_line.cu";
  write_file(file, "int main() { printf(\"the end\"); }\n");
  const Outcome outcome = run_lab(kit, {"simt", file.string()});
  checks.expect(outcome.output.find("the end\n") != std::string::npos,
                "a program whose output does not end with a newline", outcome.output);
}

// "main.cu:13 pairs.cuh:11": the lines with the comments "// finding 1" and so on, by number.
std::string expected_places(const fs::path& folder) {
  static const std::regex comment(".*// finding (\\d)");
  std::map<std::string, std::string> places;
  for (const std::string file : {"main.cu", "kernels.cu", "include/pairs.cuh"}) {
    int number = 0;
    for (const std::string& line : split_lines(read_file(folder / file))) {
      ++number;
      std::smatch found;
      if (!std::regex_match(line, found, comment)) continue;
      places[found[1]] = fs::path(file).filename().string() + ":" + std::to_string(number);
    }
  }
  std::string text;
  for (const auto& [number, place] : places) text += place + " ";
  return text;
}

std::string places_of(const Json& findings) {
  std::string text;
  for (const Json& finding : findings) {
    const fs::path file = finding["file"].get<std::string>();
    text += file.filename().string() + ":" + finding["line"].dump() + " ";
  }
  return text;
}

// The command line has options and no --compiler: both compilers check.
void check_two_sources(const Kit& kit, Checks& checks) {
  const std::string name = "two sources with -I, -D and -std, two compilers: findings in order";
  if (!is_installed("clang++")) return checks.unavailable(name, "clang++");
  const fs::path folder = kit.root / "simt" / "tests" / "two_sources";
  const fs::path json = kit.build / "two_sources.json";
  fs::remove(json);
  const Outcome outcome = run_lab(
      kit,
      {"simt", (folder / "main.cu").string(), (folder / "kernels.cu").string(), "-I",
       (folder / "include").string(), "-D", "THREADS=8", "-std=gnu++20", "--json", json.string()},
      "inner", {{"CXX", "g++"}});
  if (!fs::exists(json)) return checks.expect(false, name, outcome.output);
  const Json findings = Json::parse(read_file(json))["findings"];
  const std::string expected = expected_places(folder);
  const bool is_right = places_of(findings) == expected &&
                        findings.back()["runs"] == Json{"clang++"} &&
                        outcome.output.find("checked with g++ and clang++") != std::string::npos;
  checks.expect(is_right, name, "expected " + expected + "\n" + outcome.output);
}

}  // namespace

void check_simt_programs(const Kit& kit, Checks& checks) {
  check_program(kit, "semantics.cu", "all as the guide says", checks);
  check_program(kit, "launches.cu", "all have run", checks);
  check_program(kit, "host_api.cu", "all as the manual says", checks);
  check_program(kit, "elsewhere.cu", "all as nvcc has it", checks);
  check_program(kit, "intrinsics.cu", "all as the guide says", checks);
  check_program(kit, "host_memory.cu", "all as the manual says", checks);
  check_program(kit, "groups.cu", "all as the guide says", checks);
  check_program(kit, "async_copies.cu", "all as the guide says", checks);
  check_program(kit, "tensor_cores.cu", "all as the guide says", checks);
  check_program(kit, "inline_ptx.cu", "all as the manual of PTX says", checks);
  check_program(kit, "unwritten.cu", "step 6.1: copy_blocks is not written yet", checks);
  check_two_sources(kit, checks);
  check_kernel_name(kit, checks);
  check_last_line(kit, checks);
  check_wrong_use(kit, checks);
}

}  // namespace kv::grader
