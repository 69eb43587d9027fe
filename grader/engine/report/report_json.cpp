#include <bit>
#include <cmath>
#include <cstdio>

#include "base/kit/json.h"
#include "base/process/process.h"
#include "grader/engine/report/report.h"
#include "grader/harness/story_text.h"

namespace kv::grader {
namespace {

// JSON has no NaN and no infinity: these are "nan", "inf" and "-inf".
Json real(std::int64_t bits) {
  const auto number = std::bit_cast<double>(bits);
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

// Why text: a reader that keeps numbers as doubles loses the last bits of a hash.
Json hash(std::int64_t bits) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(bits));
  return text;
}

Json single(ValueKind kind, std::int64_t number) {
  switch (kind) {
    case ValueKind::kBool:
      return number != 0;
    case ValueKind::kUnsigned:
      return static_cast<std::uint64_t>(number);
    case ValueKind::kReal:
    case ValueKind::kReals:
      return real(number);
    case ValueKind::kHashes:
      return hash(number);
    default:
      return number;
  }
}

Json value_of(const StoryRecord& record, const StoryField& field) {
  const auto numbers = record.numbers(field);
  switch (field.kind) {
    case ValueKind::kNothing:
      return nullptr;
    case ValueKind::kText:
      return record.text(field);
    case ValueKind::kTexts:
      return split_lines(std::string(record.text(field)));
    case ValueKind::kBool:
    case ValueKind::kNumber:
    case ValueKind::kUnsigned:
    case ValueKind::kReal:
    case ValueKind::kBlock:
      return numbers.empty() ? Json(nullptr) : single(field.kind, numbers[0]);
    case ValueKind::kCounts: {
      Json counts = Json::object();
      for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        counts[std::to_string(numbers[i])] = numbers[i + 1];
      }
      return counts;
    }
    default: {
      Json list = Json::array();
      for (const std::int64_t number : numbers) list.push_back(single(field.kind, number));
      return list;
    }
  }
}

// "touch(blocks)": the name of the function, and of each argument.
struct Signature {
  explicit Signature(std::string_view text) : name(text.substr(0, text.find('('))) {
    std::string_view rest = text.substr(std::min(name.size() + 1, text.size()));
    while (!rest.empty() && rest != ")") {
      const std::size_t end = std::min(rest.find_first_of(",)"), rest.size());
      args.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + (rest.substr(end).starts_with(", ") ? 2 : 1), rest.size()));
    }
  }

  std::string name;
  std::vector<std::string> args;
};

// The fields of `part` from `first` on, up to the next field of `until`.
Json args_of(const StoryRecord& record,
             const Signature& signature,
             StoryPart part,
             std::size_t first,
             StoryPart until) {
  Json args = Json::object();
  std::size_t num_args = 0;
  const auto fields = record.fields();
  for (std::size_t i = first; i < fields.size() && fields[i].part != until; ++i) {
    if (fields[i].part != part) continue;
    const std::string name =
        num_args < signature.args.size() ? signature.args[num_args] : std::to_string(num_args);
    args[name] = value_of(record, fields[i]);
    ++num_args;
  }
  return args;
}

// null: the call has not come back. A name with a dot is a member: block_tables.A.
Json state_of(const StoryRecord& record) {
  Json state;
  if (record.find(StoryPart::kResultSentence) != nullptr) state = Json::object();
  for (const StoryField& field : record.fields()) {
    if (field.part != StoryPart::kState && field.part != StoryPart::kDetail) continue;
    const std::string name(record.name(field));
    const std::size_t dot = name.find('.');
    Json& parent = dot == std::string::npos ? state : state[name.substr(0, dot)];
    parent[dot == std::string::npos ? name : name.substr(dot + 1)] = value_of(record, field);
  }
  return state;
}

Json result_of(const StoryRecord& record) {
  Json results = Json::array();
  for (const StoryField& field : record.fields()) {
    if (field.part == StoryPart::kResult) results.push_back(value_of(record, field));
  }
  if (results.empty()) return nullptr;
  return results.size() == 1 ? results[0] : results;
}

Json exception_of(const StoryRecord& record) {
  for (const StoryPart part : {StoryPart::kException, StoryPart::kRefused}) {
    if (record.find(part) != nullptr) return record.text_of(part);
  }
  return nullptr;
}

// [{"of": "result", "value": 0}, {"of": "free", "blocks": [1, 2]}, {"of": "invariants"}]
Json expected_of(const StoryRecord& record) {
  Json expected = Json::array();
  if (const StoryField* result = record.find(StoryPart::kExpectedResult)) {
    expected.push_back({{"of", "result"}, {"value", value_of(record, *result)}});
  }
  const auto fields = record.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].part != StoryPart::kExpectation) continue;
    const Signature signature(record.text(fields[i]));
    Json expectation = {{"of", signature.name}};
    expectation.update(
        args_of(record, signature, StoryPart::kExpected, i + 1, StoryPart::kExpectation));
    expected.push_back(expectation);
  }
  return expected;
}

std::size_t num_cut(const StoryRecord& record) {
  std::size_t sum = record.num_fields_cut();
  for (const StoryField& field : record.fields()) sum += field.num_cut;
  return sum;
}

Json json_of(const StoryRecord& record) {
  const Signature signature(record.text_of(StoryPart::kCall));
  Line sentence;
  draw_sentence(record, sentence);
  return {{"step", record.number()},
          {"call", signature.name},
          {"args", args_of(record, signature, StoryPart::kArg, 0, StoryPart::kExpectation)},
          {"result", result_of(record)},
          {"exception", exception_of(record)},
          {"state", state_of(record)},
          {"expected", expected_of(record)},
          {"sentence", sentence.view()},
          {"cut", num_cut(record)}};
}

}  // namespace

Json json_of(const Story& story) {
  const std::vector<StoryRecord> records = story.records();
  if (records.empty()) return nullptr;
  const StoryRecord& head = records[0];
  Json steps = Json::array();
  for (std::size_t i = 2; i < records.size(); ++i) steps.push_back(json_of(records[i]));
  return {{"format", 1},
          {"found", head.text_of(StoryPart::kFound)},
          {"replay", head.text_of(StoryPart::kReplay)},
          {"start", json_of(records[1])},
          {"dropped", head.number() - steps.size()},
          {"steps", steps}};
}

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
