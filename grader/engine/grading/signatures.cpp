#include "grader/engine/grading/signatures.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <regex>

#include "base/kit/json.h"
#include "base/text/errors.h"
#include "grader/harness/cost.h"

namespace kv::grader {

fs::path signatures_file(const Kit& kit, const LabSpec& lab) {
  return kit.case_folder(lab) / "signatures.json";
}

namespace {

constexpr std::size_t kDigestDigits = 16;
constexpr const char* kWritesAgain = "; ./lab signatures writes it again";

// FNV-1a, the same on every machine. Why 64 bits are enough: a message is compared with those of
// its lab's known bugs, a few hundred. So one in 10^16 is taken for another; then a report can name
// a wrong bug, and no point depends on it.
std::string digest_of(const std::string& message) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : message) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::array<char, kDigestDigits + 1> digits;
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

bool is_digest(const std::string& text) {
  return text.size() == kDigestDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Why: a text that is no digest would agree with no failure, and the bug would not be named.
void require_digests(const std::vector<Signature>& signatures, const std::string& file) {
  for (const Signature& signature : signatures) {
    for (const auto& [test, message] : signature.failing) {
      if (is_message(message) && !is_digest(message))
        throw KitBroken(file + ": " + signature.name + ", " + test +
                        ": the message is no digest of " + std::to_string(kDigestDigits) +
                        " hexadecimal digits" + kWritesAgain);
    }
  }
}

}  // namespace

std::vector<Signature> load_signatures(const Kit& kit, const LabSpec& lab) {
  const fs::path path = signatures_file(kit, lab);
  std::vector<Signature> signatures;
  if (!fs::exists(path)) return signatures;
  try {
    for (const Json& json : Json::parse(read_file(path))) {
      signatures.push_back({.name = json.at("name"),
                            .sentence = json.at("sentence"),
                            .heading = json.at("heading"),
                            .steps = json.at("steps"),
                            .failing = json.at("failing"),
                            .is_named = json.value("named", true)});
    }
  } catch (const Json::exception& error) {
    throw KitBroken(path.string() + ": " + error.what() + kWritesAgain);
  }
  require_digests(signatures, path.string());
  return signatures;
}

void write_signatures(const Kit& kit,
                      const LabSpec& lab,
                      const std::vector<Signature>& signatures) {
  std::vector<std::string> lines;
  for (const Signature& signature : signatures) {
    Json json = {{"name", signature.name},
                 {"sentence", signature.sentence},
                 {"heading", signature.heading},
                 {"steps", signature.steps},
                 {"failing", signature.failing}};
    if (!signature.is_named) json["named"] = false;
    lines.push_back(json_text(json, -1));
  }
  write_file(signatures_file(kit, lab), "[\n" + join(lines, ",\n") + "\n]\n");
}

bool Signature::holds(const Cause& cause) const {
  const auto is_own = [&](const std::string& step) { return std::ranges::count(steps, step) > 0; };
  return cause.steps.empty() == steps.empty() && std::ranges::all_of(cause.steps, is_own);
}

bool is_message(const std::string& text) {
  return !text.empty() && text != kAtTimeLimit;
}

void leave_out_time_limits(Signature& one, Signature& other) {
  for (const auto& failing : {one.failing, other.failing}) {
    for (const auto& [test, message] : failing) {
      if (message != kAtTimeLimit) continue;
      one.failing.erase(test);
      other.failing.erase(test);
    }
  }
}

bool agree(Signature one, Signature other) {
  leave_out_time_limits(one, other);
  return one == other;
}

namespace {

// Why: the same mistake stands at another line of another tree.
std::string without_places(std::string message) {
  constexpr std::string_view kAnyPlace = "FILE:LINE";
  for (std::size_t at = message.find(':'); at != message.npos; at = message.find(':', at + 1)) {
    const std::size_t end =
        std::min(message.find_first_not_of("0123456789", at + 1), message.size());
    if (end == at + 1) continue;
    const std::size_t begin = message.find_last_of(" \n", at) + 1;
    message.replace(begin, end - begin, kAnyPlace);
    at = begin + kAnyPlace.size();
  }
  return message;
}

// "f() ran N basic blocks with 1,500 things and N with 100; ...". Why: each compiler makes other
// blocks.
std::string without_counts(const std::string& message) {
  static const std::regex count(R"(\b(ran|and) [0-9,]+)");
  return message.ends_with(kMustNotGrow) ? std::regex_replace(message, count, "$1 N") : message;
}

// Why: the last digits of a sum depend on the compiler, which says in which order it is added.
std::string with_few_digits(const std::string& message) {
  static const std::regex digits(R"((\d\.\d{3})\d+)");
  return std::regex_replace(message, digits, "$1");
}

}  // namespace

std::map<std::string, std::string> messages_of(const LabResult& result) {
  std::map<std::string, std::string> messages;
  for (const TestResult& test : result.tests) {
    if (!test.failed()) continue;
    std::string& message = messages[test.spec->name];
    if (test.verdict.status == Status::kTimeout) message = kAtTimeLimit;
    if (test.spec->group != "step" || test.verdict.status != Status::kFail) continue;
    const std::string& says = test.verdict.headline;
    message = without_counts(with_few_digits(result.lab->is_cuda() ? without_places(says) : says));
  }
  return messages;
}

std::map<std::string, std::string> failing_tests(const LabResult& result) {
  std::map<std::string, std::string> failing = messages_of(result);
  for (auto& [test, message] : failing)
    if (is_message(message)) message = digest_of(message);
  return failing;
}

namespace {

// kMissing: an extra test may fail because its points were not worked for, and not by the bug.
enum class ExtraPoints { kEarned, kMissing };

// The failures of a result, as they are compared with those of known bugs.
class Failures {
 public:
  Failures(const LabResult& result, ExtraPoints extra)
      : result_(result), extra_(extra), failing_(failing_tests(result)) {}

  // The same tests fail, with the same messages, and there is a message. Left out are the tests
  // that reached their time limit with the bug.
  bool agree_with(const Signature& signature) const;

  // Is the cause that was found where the bug is?
  bool have_cause_of(const Signature& signature) const;

 private:
  bool is_left_out(const TestResult& test, const Signature& signature) const;
  bool has_other_reason(const TestResult& test, const Signature& signature) const;

  const LabResult& result_;
  ExtraPoints extra_;
  std::map<std::string, std::string> failing_;
};

// Why not where the cause is in the bug's steps alone, and the bug does not fail the test: then it
// is no extra function that is missing, but the bug does more than the known one. A test of another
// step can pass beside the bug, where what is missing would have called the bug.
bool Failures::has_other_reason(const TestResult& test, const Signature& signature) const {
  if (extra_ == ExtraPoints::kEarned || test.spec->is_core) return false;
  const bool is_in_its_steps = std::ranges::count(signature.steps, test.spec->step) > 0;
  const bool is_expected = signature.failing.contains(test.spec->name);
  if (!test.failed()) return is_expected && !is_in_its_steps;
  return is_in_its_steps || is_expected || !test.cause || !signature.holds(*test.cause);
}

bool Failures::is_left_out(const TestResult& test, const Signature& signature) const {
  if (test.verdict.status == Status::kNotStarted || test.spec->group == "history") return true;
  const auto expected = signature.failing.find(test.spec->name);
  return (expected != signature.failing.end() && expected->second == kAtTimeLimit) ||
         has_other_reason(test, signature);
}

bool Failures::agree_with(const Signature& signature) const {
  bool has_message = false;
  for (const TestResult& test : result_.tests) {
    if (is_left_out(test, signature)) continue;
    const auto expected = signature.failing.find(test.spec->name);
    if (test.failed() != (expected != signature.failing.end())) return false;
    if (!test.failed() || expected->second.empty()) continue;
    if (expected->second != failing_.at(test.spec->name)) return false;
    has_message = true;
  }
  return has_message;
}

bool Failures::have_cause_of(const Signature& signature) const {
  bool has_cause = false;
  for (const TestResult& test : result_.tests) {
    if (!test.cause || has_other_reason(test, signature)) continue;
    if (!signature.holds(*test.cause)) return false;
    has_cause = true;
  }
  return has_cause;
}

std::vector<const Signature*> matches_of(const std::vector<Signature>& signatures,
                                         const Failures& failures,
                                         bool needs_cause) {
  std::vector<const Signature*> matches;
  for (const Signature& signature : signatures) {
    if (!failures.agree_with(signature)) continue;
    if (needs_cause && !failures.have_cause_of(signature)) continue;
    matches.push_back(&signature);
  }
  return matches;
}

}  // namespace

Diagnosis diagnosis_of(const std::vector<Signature>& signatures,
                       const LabResult& result,
                       Causes causes) {
  const bool needs_cause = causes == Causes::kSearched && !result.lab->is_cuda();
  std::vector<const Signature*> matches =
      matches_of(signatures, {result, ExtraPoints::kEarned}, needs_cause);
  if (matches.empty())
    matches = matches_of(signatures, {result, ExtraPoints::kMissing}, needs_cause);
  const bool are_two = matches.size() == 2 && matches[0]->heading == matches[1]->heading;
  if (matches.size() != 1 && !are_two) return {};
  if (!std::ranges::all_of(matches, &Signature::is_named)) return {};
  const std::string other = are_two ? " Or: " + matches[1]->sentence : "";
  return {.text = "looks like: " + matches[0]->sentence + other, .heading = matches[0]->heading};
}

}  // namespace kv::grader
