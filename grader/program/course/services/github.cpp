#include <cstdint>

#include "grader/program/course/services/service_files.h"

namespace kv::grader::services {
namespace {

// Why so short: the reporter gets a runner's results in one environment variable, which Linux
// limits to 128 KiB. The whole text is in the job summary.
constexpr std::size_t kMaxMessageBytes = 200;

std::string status_of(const ScoredTest& test) {
  if (test.passed()) return "pass";
  return test.status == "not graded" ? "error" : "fail";
}

Json message_of(const ScoredTest& test, const std::string& problem) {
  if (test.passed()) return nullptr;
  const std::vector<std::string> lines = split_lines(test.output);
  const std::string first = lines.empty() ? problem : lines.front();
  return printable(first, kMaxMessageBytes);
}

Json test_of(const ScoredTest& test, const std::string& problem) {
  constexpr double kMilliseconds = 1000;
  return {{"name", test.name},    {"status", status_of(test)},
          {"score", test.points}, {"message", message_of(test, problem)},
          {"test_code", ""},      {"filename", ""},
          {"line_no", 0},         {"duration", test.seconds * kMilliseconds}};
}

std::string worst_status(const Json& tests) {
  std::string worst = "pass";
  for (const Json& test : tests) {
    if (test["status"] == "error") return "error";
    if (test["status"] == "fail") worst = "fail";
  }
  return worst;
}

Json runner_results(const Scored& scored, const ScoredLab& lab, bool is_core) {
  Json tests = Json::array();
  for (const ScoredTest& test : lab.tests(is_core)) tests.push_back(test_of(test, scored.problem));
  return {{"version", 1},
          // Extra tests are optional: they do not make a job fail.
          {"status", is_core ? worst_status(tests) : "pass"},
          {"max_score", is_core ? lab.max_points(true) : 0},
          {"tests", tests}};
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = i; j < i + 3; ++j)
      group = group << 8 | (j < bytes.size() ? static_cast<unsigned char>(bytes[j]) : 0U);
    for (const int shift : {18, 12, 6, 0}) text += kDigits[group >> shift & 63];
  }
  const std::size_t num_padded = (3 - bytes.size() % 3) % 3;
  text.resize(text.size() - num_padded);
  return text + std::string(num_padded, '=');
}

}  // namespace

std::string runner_id(const LabSpec& lab, bool is_core) {
  return "lab" + lab.id + (is_core ? "" : "extra");
}

std::map<std::string, Json> github_results(const Scored& scored,
                                           const std::vector<const LabSpec*>& labs) {
  std::map<std::string, Json> results;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    for (const bool is_core : {true, false}) {
      if (labs[i]->max_points(is_core) == 0) continue;
      results[runner_id(*labs[i], is_core)] = runner_results(scored, scored.labs[i], is_core);
    }
  }
  return results;
}

std::string github_outputs(const std::map<std::string, Json>& results) {
  std::string lines;
  for (const auto& [id, json] : results) lines += id + "=" + base64(json_text(json, -1)) + "\n";
  return lines;
}

}  // namespace kv::grader::services
