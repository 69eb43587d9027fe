#pragma once
// What a test logs about itself, so that its failure has a story: what it checks, what it did, step
// by step, and what each step gave. The last steps survive a crash and a hang. Everything is kept
// as data (story.h); text is made of it where it is shown.

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

#include "grader/harness/story.h"

namespace kv::grader {

// First line of every test. heading: the README heading that states what the test checks; after
// it, words of that step's contract, each from one claim: SPEC("...", "1.2 remove", "is refused").
#define SPEC(what, heading, ...) ::kv::grader::spec((what), (heading), {__VA_ARGS__})
void spec(std::string_view what,
          std::string_view heading,
          std::initializer_list<std::string_view> quotes);

// How a call is shown. {0}, {1}, ... are its arguments, {=} is the result that the test expects.
struct CallForm {
  constexpr CallForm(std::string_view its_call,
                     std::string_view its_sentence,
                     std::string_view its_code = {})
      : call(its_call), sentence(its_sentence), code(its_code) {}

  // A step in words, for what is no call with arguments.
  template <std::convertible_to<std::string_view> Words>
  constexpr CallForm(const Words& words) : sentence(words) {}

  std::string_view call;      // "remove(block)": the function and the names of its arguments
  std::string_view sentence;  // "remove({0})", for a person
  std::string_view code;      // "remove({0})", for a test; empty if no history makes the call
};

// In a process that only finds out whether a history breaks, nothing is recorded, and what only the
// story needs is not computed.
bool is_recording();
void mute();

// Whether a recorder looks at the state around a call. No, during a history whose state is looked
// at in the end only: code that repairs what is looked at would pass.
bool may_look();
void allow_looks(bool is_allowed);

// The object on which the calls that follow are made. With two, sentences begin with "first: " or
// "second: ", and making the second is a step.
enum class TestObject { kOnly, kFirst, kSecond };
void log_object(TestObject object);

namespace test_log {
StoryRecord& begin_start(std::string_view object, const CallForm& form);
StoryRecord& begin_step(const CallForm& form);
StoryRecord& last();  // step, or the start
}  // namespace test_log

// While it exists, the calls that begin have to be refused; the reason is kept with them.
class ToBeRefused {
 public:
  explicit ToBeRefused(std::string_view why);
  ~ToBeRefused();
  ToBeRefused(const ToBeRefused&) = delete;
  ToBeRefused& operator=(const ToBeRefused&) = delete;
};

// The object under test as it is made, before the first step; earlier steps are dropped. object:
// its name in a line of a test.
template <class... Args>
void log_start(std::string_view object, const CallForm& form, const Args&... args) {
  if (!is_recording()) return;
  StoryRecord& record = test_log::begin_start(object, form);
  (record.add(StoryPart::kArg, "", args), ...);
}

// The call that comes next, before it is made. A crash leaves it without a result.
template <class... Args>
void log_step(const CallForm& form, const Args&... args) {
  if (!is_recording()) return;
  StoryRecord& record = test_log::begin_step(form);
  (record.add(StoryPart::kArg, "", args), ...);
}

// The last step as a person reads it: "touch([1 2])". Nothing while nothing is recorded.
std::string last_call();

template <class Value>
void log_expected_result(const Value& value) {
  if (is_recording()) test_log::last().add(StoryPart::kExpectedResult, "", value);
}

// What the call gave, as soon as it has come back.
template <class... Values>
void log_result(const Values&... values) {
  if (is_recording()) (test_log::last().add(StoryPart::kResult, "", values), ...);
}

// The same in words: log_result_as("{0} bytes", num_bytes).
template <class... Values>
void log_result_as(std::string_view sentence, const Values&... values) {
  if (!is_recording()) return;
  test_log::last().add_text(StoryPart::kResultSentence, "", sentence);
  (test_log::last().add(StoryPart::kResult, "", values), ...);
}

inline void log_returned() {
  log_result_as("returned");
}

// What a call gave whose state is not looked at.
template <class... Values>
void log_result_only(const Values&... values) {
  if constexpr (sizeof...(values) == 0) log_returned();
  log_result(values...);
}

// The call has thrown ContractViolation, and the test wanted it to.
inline void log_refused() {
  if (is_recording()) test_log::last().add_text(StoryPart::kRefused, "", "ContractViolation");
}

// A part of the state after the call, or at the start: log_state("free", ids).
template <class Value>
void log_state(std::string_view name, const Value& value) {
  if (is_recording()) test_log::last().add(StoryPart::kState, name, value);
}

// The same for the data alone; the screen does not show it.
template <class Value>
void log_detail(std::string_view name, const Value& value) {
  if (is_recording()) test_log::last().add(StoryPart::kDetail, name, value);
}

// What is expected of the state now: log_expectation({"free(blocks)", "", "expect_free({0})"},
// ids).
template <class... Args>
void log_expectation(const CallForm& form, const Args&... args) {
  if (!is_recording()) return;
  StoryRecord& record = test_log::last();
  record.add_text(StoryPart::kExpectation, "", form.call);
  record.add_text(StoryPart::kExpectationCode, "", form.code);
  (record.add(StoryPart::kExpected, "", args), ...);
}

// An exception came out of the test.
void log_exception(std::string_view what);

// The story will be that of a history. found: how it was found, shown first; replay: the command
// that runs it again, shown last.
void log_as_found(std::string_view found, std::string_view replay);

// Hands the story over: to the grader, or as text to standard output when there is none.
// Safe inside a signal handler.
void emit_log();

// Begins an empty story.
void clear_log();

// From now on a fatal signal, the end of the allowed time and exit() hand the story over first.
void install_crash_handler();
// For a thread that may use up its stack: what the crash handler runs on then. One thread at a
// time.
void use_spare_stack();

}  // namespace kv::grader
