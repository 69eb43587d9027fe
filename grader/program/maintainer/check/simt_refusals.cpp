// What simt does not have is refused in one sentence: the parts of simt/tests/refused.cu.

#include <regex>

#include "common/errors.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

struct Refused {
  std::string macro;
  std::string sentence;  // empty: this part is accepted
};

// A part begins with "#if defined(NAME)" or "#elif defined(NAME)".
std::vector<Refused> refused_parts(const fs::path& file) {
  static const std::regex part("#(el)?if defined\\((\\w+)\\)");
  static const std::regex comment(".*// refused: (.*)");
  const std::string name = "simt/tests/" + file.filename().string();
  std::vector<Refused> parts;
  int number = 0;
  for (const std::string& line : split_lines(read_file(file))) {
    ++number;
    std::smatch found;
    if (std::regex_match(line, found, part)) parts.push_back({found[2], ""});
    if (!std::regex_match(line, found, comment) || parts.empty()) continue;
    parts.back().sentence =
        name + ":" + std::to_string(number) + ": " + found[1].str() + "; what it has: docs/simt.md";
  }
  return parts;
}

void check_part(const Kit& kit, const Refused& part, const std::string& compiler, Checks& checks) {
  const fs::path file = kit.root / "simt" / "tests" / "refused.cu";
  const Outcome outcome = run_lab(
      kit, {"simt", file.string(), "-D", part.macro, "--compiler", compiler, "--no-profile"});
  const bool is_fine = part.sentence.empty();
  const bool is_right = is_fine
                            ? outcome.ok()
                            : outcome.exit_code == kExitUsage &&
                                  outcome.output.find(part.sentence + "\n") != std::string::npos &&
                                  split_lines(outcome.output).size() == 1;
  checks.expect(is_right,
                "refused.cu, " + compiler + ", " + part.macro + ": " +
                    (is_fine ? "accepted" : "one sentence"),
                outcome.output + "\nexpected: " + part.sentence);
}

}  // namespace

void check_simt_refusals(const Kit& kit, Checks& checks) {
  fs::current_path(kit.root);  // places are relative to it
  const std::vector<Refused> parts = refused_parts(kit.root / "simt" / "tests" / "refused.cu");
  checks.expect(parts.size() > 20, "refused.cu has " + std::to_string(parts.size()) + " parts");
  for (const std::string compiler : {"g++", "clang++"}) {
    if (!is_installed(compiler)) {
      checks.unavailable("refused.cu, " + compiler, compiler);
      continue;
    }
    for (const Refused& part : parts) check_part(kit, part, compiler, checks);
  }
}

}  // namespace kv::grader
