#include "grader/harness/endless.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

#include "grader/harness/channel.h"
#include "grader/harness/counters.h"
#include "grader/harness/record_kinds.h"
#include "grader/harness/story_text.h"

namespace kv::grader {
namespace {

// A right answer has as much time as 20 times the solution's: so much more work has no end.
constexpr std::uint64_t kTimesTheSolution = 20;
static_assert(kLoopInLoop.find("than 20 times") != std::string_view::npos);

const char* reason_of_lab = "does each round of the loop come closer to its end?";
std::uint64_t steps_per_second_of_lab = 0;
std::uint64_t allowed_steps = 0;
const char* looking_by = nullptr;
bool has_endless_call = false;

bool is_endless() {
  if (has_endless_call) return true;
  const std::uint64_t most_steps = most_steps_of_test();
  return most_steps > 0 && num_basic_blocks_so_far() >= kTimesTheSolution * most_steps;
}

std::string draw_memory_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return "memory";
  return "memory (" + std::to_string(limit.rlim_cur >> 20) + " MiB)";
}

struct Translation {
  std::string_view part;  // what() contains it
  const char* words;
};
constexpr std::array kTranslations = {
    Translation{"map::at", "a map was asked for a key that it does not have"},
    Translation{"bad_optional_access", "the value of an empty optional was read"},
    Translation{"bad optional access", "the value of an empty optional was read"},
    Translation{"bad_variant_access", "a variant was read as a type that it does not hold"},
    Translation{"bad_function_call", "an empty function was called"},
    Translation{"larger than max_size",
                "a list was to have more entries than fit into memory; is "
                "its size the result of a subtraction below 0?"},
    Translation{"vector::",
                "a list was to have more entries than fit into memory; is its size the "
                "result of a subtraction below 0?"},
    Translation{"basic_string::", "a text was read or written past its end"}};

// "index 5 is past the end of a list of 3", of what at() says; empty if it is something else.
std::string draw_range_check(const std::string& what) {
  constexpr std::string_view kIndex = "(which is ";
  const std::size_t index = what.find(kIndex);
  const std::size_t size = what.rfind(kIndex);
  if (what.find("_range_check") == std::string::npos || index == size) return "";
  const auto number_at = [&](std::size_t at) {
    const std::size_t begin = at + kIndex.size();
    return what.substr(begin, what.find(')', begin) - begin);
  };
  return "index " + number_at(index) + " is past the end of a list of " + number_at(size);
}

}  // namespace

LoopsOfLab::LoopsOfLab(const char* likely_reason, std::uint64_t steps_per_second) {
  reason_of_lab = likely_reason;
  steps_per_second_of_lab = steps_per_second;
}

void allow_steps(std::uint64_t num_steps) {
  allowed_steps = num_steps;
}

std::uint64_t most_steps_of_test() {
  constexpr rlim_t kLongestTest = 3600;
  rlimit seconds{};
  ::getrlimit(RLIMIT_CPU, &seconds);
  return std::max<std::uint64_t>(
      allowed_steps, steps_per_second_of_lab * std::min(seconds.rlim_cur, kLongestTest));
}

LookingBy::LookingBy(const char* call) {
  looking_by = call;
}

LookingBy::~LookingBy() {
  // Why: of an exception, the message is drawn after this.
  if (std::uncaught_exceptions() == 0) looking_by = nullptr;
}

void note_endless_call() {
  has_endless_call = true;
}

void send_why_time_is_up(TimeLimit limit) {
  const bool is_certain = is_endless();
  Line line;
  if (is_certain && allowed_steps > 0 && !has_endless_call) line.append(kLoopInLoop);
  line.append(is_certain ? kEndlessLoop : kTimeUsedUp);
  if (!is_certain) line.append(limit == TimeLimit::kProcessor ? kOrLoop : kOrLoopOrWait);
  if (looking_by != nullptr)
    line.append("\n   in ").append(looking_by).append(", by which the test looks at the state");
  line.append("\n   ").append(reason_of_lab);
  channel::send(is_certain ? record_kind::kEndless : record_kind::kTimeIsUp, line.view());
}

std::string draw_used_up_memory() {
  const Refusal refused = last_refusal();
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  if (refused.num_bytes > limit.rlim_cur && refused.num_bytes_in_use < limit.rlim_cur / 8) {
    return "asked for " + std::to_string(refused.num_bytes) + " bytes at once, more than its " +
           draw_memory_limit() + ": is that the number of entries you meant?";
  }
  const std::string where = looking_by == nullptr ? "" : std::string(" in ") + looking_by;
  return "used up its " + draw_memory_limit() + ": a loop that does not end" + where +
         ", and stores something in each round?\n   " + reason_of_lab;
}

std::string draw_exception(const std::string& what) {
  if (what.find("bad_alloc") != std::string::npos) return draw_used_up_memory();
  const std::string intro = "an exception came out of your code: ";
  const std::string range = draw_range_check(what);
  if (!range.empty()) return intro + range;
  const auto translation = std::ranges::find_if(kTranslations, [&](const Translation& each) {
    return what.find(each.part) != std::string::npos;
  });
  return intro + (translation == kTranslations.end() ? what : translation->words);
}

}  // namespace kv::grader
