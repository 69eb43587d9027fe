#include "grader/program/maintainer/check/service_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "common/text.h"

namespace kv::grader {
namespace {

using Words = std::set<std::string>;

struct Rule {
  enum class Type { kNumber, kInteger, kText, kFlag, kList, kObject };
  Type type;
  bool is_required = false;
  Words words = {};          // of a text; empty: any
  std::string pattern = {};  // of a text
};

using Rules = std::map<std::string, Rule>;
using Type = Rule::Type;

bool has_type(const Json& value, Type type) {
  switch (type) {
    case Type::kNumber:
      return value.is_number();
    case Type::kInteger:
      return value.is_number_integer() && value.get<std::int64_t>() >= 0;
    case Type::kText:
      return value.is_string();
    case Type::kFlag:
      return value.is_boolean();
    case Type::kList:
      return value.is_array();
    case Type::kObject:
      return value.is_object();
  }
  return false;
}

std::string broken_value(const std::string& key, const Json& value, const Rule& rule) {
  if (!has_type(value, rule.type)) return key + " has another type";
  if (rule.type != Type::kText) return "";
  const std::string text = value;
  if (!rule.words.empty() && !rule.words.contains(text)) return key + " cannot be " + text;
  if (!rule.pattern.empty() && !std::regex_search(text, std::regex(rule.pattern)))
    return key + " does not match " + rule.pattern;
  return "";
}

// is_closed: no other keys than those of the rules.
std::string broken_rule(const Json& object, const Rules& rules, bool is_closed) {
  if (!object.is_object()) return "no object";
  for (const auto& [key, rule] : rules) {
    if (rule.is_required && !object.contains(key)) return key + " is missing";
  }
  for (const auto& [key, value] : object.items()) {
    const auto rule = rules.find(key);
    if (rule == rules.end() && is_closed) return key + " is unknown";
    if (rule == rules.end()) continue;
    const std::string broken = broken_value(key, value, rule->second);
    if (!broken.empty()) return broken;
  }
  return "";
}

std::string broken_test_rule(const Json& tests, const Rules& rules, bool is_closed) {
  for (const Json& test : tests) {
    const std::string broken = broken_rule(test, rules, is_closed);
    if (!broken.empty()) return "tests: " + broken;
  }
  return "";
}

const Words kVisible = {"hidden", "after_due_date", "after_published", "visible"};
const Words kFormats = {"text", "simple_format", "html", "md", "ansi"};

const Rules kGradescope = {{"score", {Type::kNumber}},
                           {"execution_time", {Type::kNumber}},
                           {"output", {Type::kText}},
                           {"output_format", {Type::kText, false, kFormats}},
                           {"test_output_format", {Type::kText, false, kFormats}},
                           {"test_name_format", {Type::kText, false, kFormats}},
                           {"visibility", {Type::kText, false, kVisible}},
                           {"stdout_visibility", {Type::kText, false, kVisible}},
                           {"extra_data", {Type::kObject}},
                           {"tests", {Type::kList}},
                           {"leaderboard", {Type::kList}}};

const Rules kGradescopeTest = {{"score", {Type::kNumber}},
                               {"max_score", {Type::kNumber}},
                               {"status", {Type::kText, false, {"passed", "failed"}}},
                               {"name", {Type::kText}},
                               {"name_format", {Type::kText, false, kFormats}},
                               {"number", {Type::kText}},
                               {"output", {Type::kText}},
                               {"output_format", {Type::kText, false, kFormats}},
                               {"tags", {Type::kList}},
                               {"visibility", {Type::kText, false, kVisible}},
                               {"extra_data", {Type::kObject}}};

const Words kGithubStatus = {"pass", "fail", "error"};

const Rules kGithub = {{"version", {Type::kInteger, true}},
                       {"status", {Type::kText, true, kGithubStatus}},
                       {"max_score", {Type::kInteger, true}},
                       {"tests", {Type::kList, true}}};

// The message can be null, too.
const Rules kGithubTest = {
    {"name", {Type::kText, true}},      {"status", {Type::kText, true, kGithubStatus}},
    {"score", {Type::kInteger, true}},  {"test_code", {Type::kText, true}},
    {"filename", {Type::kText, true}},  {"line_no", {Type::kInteger, true}},
    {"duration", {Type::kNumber, true}}};

const std::string kDate = "^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$";

const Rules kClassroom50 = {{"schema", {Type::kText, true, {"classroom50/result/v1"}}},
                            {"classroom", {Type::kText, true, {}, "."}},
                            {"assignment", {Type::kText, true, {}, "."}},
                            {"assignment_type", {Type::kText, true, {"individual", "group"}}},
                            {"owner", {Type::kText, true, {}, "."}},
                            {"submission", {Type::kText, true, {}, "^submit/"}},
                            {"commit", {Type::kText, true, {}, "."}},
                            {"release", {Type::kText, true, {}, "."}},
                            {"review", {Type::kText, true, {}, "."}},
                            {"datetime", {Type::kText, true, {}, kDate}},
                            {"graded_at", {Type::kText, false, {}, kDate}},
                            {"score", {Type::kInteger, true}},
                            {"max-score", {Type::kInteger, true}},
                            {"tests", {Type::kList, true}},
                            {"submitted_by", {Type::kObject}}};

const Rules kClassroom50Test = {{"test-name", {Type::kText, true, {}, "."}},
                                {"passed", {Type::kFlag, true}},
                                {"score", {Type::kInteger, true}},
                                {"max-score", {Type::kInteger, true}}};

}  // namespace

std::string broken_gradescope_rule(const Json& results) {
  const std::string broken = broken_rule(results, kGradescope, true);
  if (!broken.empty()) return broken;
  const bool has_tests = results.contains("tests") && !results["tests"].empty();
  if (!has_tests && !results.contains("score")) return "neither a score nor tests";
  if (!has_tests) return "";
  for (const Json& test : results["tests"]) {
    if (!test.contains("score") && !results.contains("score")) return "a test without a score";
  }
  return broken_test_rule(results["tests"], kGradescopeTest, true);
}

std::string broken_github_rule(const Json& runner) {
  const std::string broken = broken_rule(runner, kGithub, true);
  if (!broken.empty()) return broken;
  // The reporter divides by their number.
  if (runner["tests"].empty()) return "no tests";
  return broken_test_rule(runner["tests"], kGithubTest, false);
}

std::string broken_classroom50_rule(const Json& result) {
  const std::string broken = broken_rule(result, kClassroom50, true);
  if (!broken.empty()) return broken;
  const std::string broken_test = broken_test_rule(result["tests"], kClassroom50Test, false);
  if (!broken_test.empty()) return broken_test;
  if (result["score"] > result["max-score"]) return "score above max-score";
  for (const Json& test : result["tests"]) {
    if (test["score"] > test["max-score"]) return "tests: score above max-score";
  }
  return "";
}

namespace {

// The text after the first `start`, to the end of its line.
std::optional<std::string> rest_of_line(const std::string& text, const std::string& start) {
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = at + start.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string decoded(const std::string& base64) {
  const auto value = [](char c) -> int {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
  };
  std::string bytes;
  unsigned bits = 0;
  int num_bits = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(value(c));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes += static_cast<char>(bits >> num_bits & 0xFF);
  }
  return bytes;
}

}  // namespace

std::vector<std::string> reported_runners(const std::string& workflow) {
  std::istringstream list(rest_of_line(workflow, "runners: ").value_or(""));
  std::vector<std::string> runners;
  for (std::string id; std::getline(list, id, ',');) runners.push_back(id);
  return runners;
}

Json reported_results(const std::string& workflow,
                      const std::string& outputs,
                      const std::string& id) {
  std::string name = id;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string expected = "${{ steps.pagedlab.outputs." + id + " }}";
  if (rest_of_line(workflow, " " + name + "_RESULTS: ") != expected) return nullptr;
  const std::optional<std::string> value = rest_of_line("\n" + outputs, "\n" + id + "=");
  // The value travels in one environment variable.
  constexpr std::size_t kMaxBytes = 128 * 1024;
  if (!value || value->size() + name.size() >= kMaxBytes) return nullptr;
  const Json results = Json::parse(decoded(*value), nullptr, false);
  return results.is_discarded() ? Json(nullptr) : results;
}

bool has_closed_fences(const std::string& markdown) {
  std::string open;
  for (const std::string& line : split_lines(markdown)) {
    const std::string row = line.substr(0, line.find_first_not_of('`'));
    if (open.empty() && row.size() >= 3) {
      open = row;
    } else if (!open.empty() && line.size() >= open.size() && row == line) {
      if (row != open) return false;
      open.clear();
    }
  }
  return open.empty();
}

}  // namespace kv::grader
