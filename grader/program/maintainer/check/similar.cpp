#include "grader/program/maintainer/check/similar.h"

#include "grader/program/course/classroom/csv.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

SimilarRun::SimilarRun(const Kit& kit, const fs::path& folder, std::vector<std::string> options)
    : out(kit.build / "similar-report") {
  options.insert(options.begin(), {"similar", folder.string(), "--out", out.string()});
  outcome = run_lab(kit, options, "inner-similar");
  if (!fs::exists(out / "pairs.csv")) return;
  std::vector<classroom::CsvLine> lines =
      classroom::parse_csv(read_file(out / "pairs.csv"), "pairs.csv");
  for (std::size_t i = 1; i < lines.size(); ++i)
    pairs.insert(lines[i][0] + ": " + lines[i][1] + ", " + lines[i][2]);
}

std::string SimilarRun::text() const {
  std::string text = outcome.output;
  for (const std::string& pair : pairs) text += "\nlisted: " + pair;
  return text;
}

}  // namespace kv::grader
