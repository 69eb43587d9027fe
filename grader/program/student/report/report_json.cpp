
#include "grader/program/base/kit/json.h"
#include "grader/program/base/process/process.h"
#include "grader/program/student/report/report.h"

namespace kv::grader {
namespace {

// Empty where no step is known to be at fault.
std::string fix_of(const LabResult& lab, const TestResult& test) {
  const bool is_known = lab.was_run() && test.failed() && (test.cause || !test.spec->is_history());
  return is_known ? lab.step_to_fix(test).heading() : "";
}

Json json_of(const LabResult& lab, const TestResult& test) {
  const bool passed = test.verdict.status == Status::kPass;
  return {{"name", test.spec->name},
          {"step", test.spec->step},
          {"part", test.spec->part},
          {"kind", test.spec->is_core ? "core" : "extra"},
          {"status", status_name(test.verdict.status)},
          {"points", test.points()},
          {"max_points", test.spec->max_points},
          {"seconds", test.seconds},
          {"source", test.verdict.source},
          {"cause", test.cause ? test.cause->steps : std::vector<std::string>()},
          {"fix", fix_of(lab, test)},
          {"explained_by", test.explained_by == nullptr ? "" : test.explained_by->name},
          {"output", passed ? "" : printable(failure_text(lab, test), kMaxReportedBytes)},
          {"story", json_of(test.verdict.story)}};
}

Json json_of(const LabResult& lab) {
  Json json = {{"id", lab.lab->id},
               {"title", lab.lab->title},
               {"state", state_name(lab.state)},
               {"score", lab.points(true)},
               {"max_score", lab.lab->max_points(true)},
               {"extra", lab.points(false)},
               {"max_extra", lab.lab->max_points(false)},
               {"message", lab.message},
               {"warnings", lab.warnings},
               {"diagnosis", lab.diagnosis.text},
               {"notes", lab.notes},
               {"flags", lab.flags},
               {"steps", lab.was_run() ? json_of_table(lab) : Json::array()},
               {"tests", Json::array()}};
  for (const TestResult& test : lab.tests) json["tests"].push_back(json_of(lab, test));
  return json;
}

}  // namespace

void write_json(const Report& report, const fs::path& path) {
  const Submission& submission = *report.submission;
  const Provenance& made_with = report.provenance;
  Json json = {
      {"format", 1},
      {"tree", submission.name},
      {"tree_digest", submission.digest},
      {"files", submission.file_digests},
      {"score_sheet_digest", made_with.score_sheet_digest},
      {"kit", {{"version", made_with.kit_version}, {"commit", made_with.kit_commit}}},
      {"compiler", {{"name", made_with.compiler}, {"options", made_with.compiler_options}}},
      {"date", made_with.date},
      {"stubs_left", submission.num_core_stubs()},
      {"seed", report.seed},
      {"isolation", isolation_of_tests()},
      {"score", report.points(true)},
      {"max_score", report.max_points(true)},
      {"extra", report.points(false)},
      {"max_extra", report.max_points(false)},
      {"labs", Json::array()}};
  for (const LabResult& lab : report.labs) json["labs"].push_back(json_of(lab));
  write_file(path, json_text(json, 2) + "\n");
}

}  // namespace kv::grader
