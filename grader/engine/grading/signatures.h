#pragma once
// What each known bug does to the tests. Failures that agree with it in tests, messages and cause
// probably come from this bug. A digest stands for each message: `./lab signatures --explain`
// prints the texts.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/kit/kit.h"
#include "grader/engine/grading/results.h"

namespace kv::grader {

// In place of a message, of a test that reached its time limit: a faster machine may end it.
inline constexpr std::string_view kAtTimeLimit = "time limit";

struct Signature {
  std::string name;                // the bug's name in known_bugs.txt
  std::string sentence;            // what the bug is
  std::string heading;             // heading in README and HINTS, as "1.2 remove"
  std::vector<std::string> steps;  // where the bug is; empty: in a given function
  // The tests that do not pass, with the digest of what went wrong, or kAtTimeLimit. Empty where
  // that does not identify a bug: a crash, a cost, the calls of a history.
  std::map<std::string, std::string> failing;
  // No: a near miss fails the same tests with the same messages, so the sentence could be false.
  bool is_named = true;

  // Is the cause in this bug's own steps, all of it?
  bool holds(const Cause& cause) const;

  bool operator==(const Signature&) const = default;
};

// Does this text, of Signature::failing or of messages_of(), stand for what went wrong?
bool is_message(const std::string& text);

// The tests that reached their time limit in one of them are taken out of both.
void leave_out_time_limits(Signature& one, Signature& other);

// The same without those tests.
bool agree(Signature one, Signature other);

// Written by `./lab signatures`, never by hand.
fs::path signatures_file(const Kit& kit, const LabSpec& lab);

std::vector<Signature> load_signatures(const Kit& kit, const LabSpec& lab);  // throws KitBroken
void write_signatures(const Kit& kit, const LabSpec& lab, const std::vector<Signature>& signatures);

// The failing tests of a result with what went wrong, or kAtTimeLimit, or an empty text where a
// signature has one. Of a CUDA lab, each place reads FILE:LINE; each count of basic blocks reads N.
// Of a decimal, three places are left. A test that reaches a stub is not among them.
std::map<std::string, std::string> messages_of(const LabResult& result);

// The same as in a signature: with the digests of these messages.
std::map<std::string, std::string> failing_tests(const LabResult& result);

// "looks like: ..." if one known bug, or two of one step, have the failures of this result, and the
// cause that was found is where the bug is; else empty, as it is where one of them must not be
// named. Tests that wait for a step that is not written are left out, and random histories. So are
// extra tests that fail where no bug fails just these: most students write a step for its core
// points alone, and a bug beside that is the same bug.
// kNotSearched: nothing is known of causes, as in a handout, and the failures alone decide. So they
// do in CUDA labs, where findings show the cause of a few tests only.
enum class Causes { kSearched, kNotSearched };
Diagnosis diagnosis_of(const std::vector<Signature>& signatures,
                       const LabResult& result,
                       Causes causes = Causes::kSearched);

}  // namespace kv::grader
