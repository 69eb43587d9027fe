#include "grader/program/course/services/service_files.h"

namespace kv::grader::services {
namespace {

Json test_of(const ScoredPart& part, const std::string& extra_visibility) {
  return {{"name", part.heading},
          {"name_format", "text"},
          {"number", part.number},
          {"score", part.points()},
          {"max_score", part.max_points()},
          {"status", part.passed() ? "passed" : "failed"},
          {"output", printable(part.text())},
          {"output_format", "text"},
          {"tags", {part.is_core ? "core" : "extra"}},
          {"visibility", part.is_core ? "visible" : extra_visibility}};
}

}  // namespace

Json gradescope_results(const Scored& scored, const std::string& extra_visibility) {
  Json results = {{"score", scored.points(true) + scored.points(false)},
                  {"execution_time", scored.seconds},
                  {"output", printable(scored.text())},
                  {"output_format", "text"},
                  {"test_output_format", "text"},
                  {"test_name_format", "text"},
                  {"visibility", "visible"},
                  // Why hidden: it has the flags, which are for the instructor.
                  {"stdout_visibility", "hidden"},
                  {"tests", Json::array()}};
  for (const ScoredLab& lab : scored.labs) {
    for (const ScoredPart& part : lab.parts)
      results["tests"].push_back(test_of(part, extra_visibility));
  }
  return results;
}

}  // namespace kv::grader::services
