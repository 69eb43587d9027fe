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

// The same tests fail, with the same messages, and there is a message. Left out are the tests that
// reached their time limit with the bug.
bool has_failures_of(const Signature& signature,
                     const LabResult& result,
                     const std::map<std::string, std::string>& failing) {
  bool has_message = false;
  for (const TestResult& test : result.tests) {
    if (test.verdict.status == Status::kNotStarted || test.spec->group == "history") continue;
    const auto expected = signature.failing.find(test.spec->name);
    const bool is_expected = expected != signature.failing.end();
    if (is_expected && expected->second == kAtTimeLimit) continue;
    if (test.failed() != is_expected) return false;
    if (!test.failed() || expected->second.empty()) continue;
    if (expected->second != failing.at(test.spec->name)) return false;
    has_message = true;
  }
  return has_message;
}

bool has_cause_of(const Signature& signature, const LabResult& result) {
  bool has_cause = false;
  for (const TestResult& test : result.tests) {
    if (!test.cause) continue;
    if (!signature.holds(*test.cause)) return false;
    has_cause = true;
  }
  return has_cause;
}

}  // namespace

Diagnosis diagnosis_of(const std::vector<Signature>& signatures,
                       const LabResult& result,
                       Causes causes) {
  const bool needs_cause = causes == Causes::kSearched && !result.lab->is_cuda();
  const std::map<std::string, std::string> failing = failing_tests(result);
  std::vector<const Signature*> matches;
  for (const Signature& signature : signatures) {
    if (!has_failures_of(signature, result, failing)) continue;
    if (needs_cause && !has_cause_of(signature, result)) continue;
    matches.push_back(&signature);
  }
  const bool are_two = matches.size() == 2 && matches[0]->heading == matches[1]->heading;
  if (matches.size() != 1 && !are_two) return {};
  if (!std::ranges::all_of(matches, &Signature::is_named)) return {};
  const std::string other = are_two ? " Or: " + matches[1]->sentence : "";
  return {.text = "looks like: " + matches[0]->sentence + other, .heading = matches[0]->heading};
}

}  // namespace kv::grader
