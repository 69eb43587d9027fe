#include <cstdlib>

#include "common/errors.h"
#include "grader/program/course/services/service_files.h"
#include "grader/program/student/grading/provenance.h"

namespace kv::grader::services {
namespace {

std::string variable(const char* name, const char* otherwise = nullptr) {
  for (const char* each : {name, otherwise}) {
    const char* value = each == nullptr ? nullptr : std::getenv(each);
    if (value != nullptr && *value != '\0') return value;
  }
  throw UsageError(std::string(name) +
                   " is not set; Classroom 50's runner sets it, elsewhere set it by hand");
}

Json test_of(const ScoredPart& part) {
  Json test = {{"test-name", part.heading},
               {"passed", part.passed()},
               {"score", part.is_core ? part.points() : 0},
               {"max-score", part.is_core ? part.max_points() : 0},
               {"output", part.passed() ? "" : printable(part.text())}};
  if (!part.is_core) {
    test["extra-score"] = part.points();
    test["max-extra-score"] = part.max_points();
  }
  return test;
}

}  // namespace

Json classroom50_result(const Scored& scored) {
  Json result = {{"schema", "classroom50/result/v1"},
                 {"classroom", variable("CLASSROOM")},
                 {"assignment", variable("ASSIGNMENT")},
                 {"assignment_type", variable("ASSIGNMENT_TYPE")},
                 {"owner", variable("OWNER", "USERNAME")},
                 {"submission", variable("SUBMISSION_TAG")},
                 {"commit", variable("COMMIT_URL")},
                 {"release", variable("RELEASE_URL")},
                 {"review", variable("REVIEW_URL", "COMMIT_URL")},
                 // The runner writes the date of the graded commit over it.
                 {"datetime", now_in_utc()},
                 {"score", scored.points(true)},
                 {"max-score", scored.max_points(true)},
                 {"tests", Json::array()}};
  for (const ScoredLab& lab : scored.labs) {
    for (const ScoredPart& part : lab.parts) result["tests"].push_back(test_of(part));
  }
  return result;
}

std::string classroom50_outputs(const Scored& scored) {
  const bool is_full = scored.points(true) == scored.max_points(true);
  return std::string("status=") + (is_full ? "success" : "failure") +
         "\nsummary=PagedLab: " + scored.headline() + "\n";
}

}  // namespace kv::grader::services
