#pragma once
// What to say when the time or the memory of a test is used up: a loop that does not end does both.

#include <cstdint>
#include <string>
#include <string_view>

namespace kv::grader {

// Describes loops of the lab whose tests are in this program. A file of each lab's tests makes one
// before main.
class LoopsOfLab {
 public:
  // likely_reason: why a loop of this lab does not end. steps_per_second: at least as many basic
  // blocks as any test of the lab runs on the solution, for each second of processor time that it
  // may use. ./lab test compares.
  LoopsOfLab(const char* likely_reason, std::uint64_t steps_per_second);
};

// This test runs more on the solution: so many.
void allow_steps(std::uint64_t num_steps);
inline constexpr std::uint64_t kAnyNumberOfSteps = ~std::uint64_t{0} / 100;

// What the test may run by the above; 0 if nothing is known.
std::uint64_t most_steps_of_test();

// The test looks at the student's object by a call that is not in the story.
class LookingBy {
 public:
  explicit LookingBy(const char* call);
  ~LookingBy();
  LookingBy(const LookingBy&) = delete;
  LookingBy& operator=(const LookingBy&) = delete;
};

// One call has used far more time than it needs on any machine.
void note_endless_call();

// The first line of what is said when the time is used up. The line of the student's code that ran
// then follows it.
inline constexpr std::string_view kEndlessLoop = "a loop that does not end";
// Before it, in a test that allows steps: at its sizes, a loop inside a loop looks endless, too.
inline constexpr std::string_view kLoopInLoop =
    "needs more than 20 times the solution's steps at this size: is a loop inside a loop? If not, "
    "it is ";
inline constexpr std::string_view kTimeUsedUp = "its time is used up";
inline constexpr std::string_view kOrLoop = " (a loop that does not end?)";
inline constexpr std::string_view kOrLoopOrWait = " (a loop that does not end, or a wait?)";

// Hands over why the time is used up. Safe inside a signal handler.
enum class TimeLimit { kProcessor, kWallClock };
void send_why_time_is_up(TimeLimit limit);

// What a report says for std::bad_alloc.
std::string draw_used_up_memory();

// "an exception came out of your code: index 5 is past the end of a vector of 3". what: what() of
// an exception; where it shows the insides of the standard library, other words.
std::string draw_exception(const std::string& what);

}  // namespace kv::grader
