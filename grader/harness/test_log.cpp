#include "grader/harness/test_log.h"

#include <unistd.h>

#include <charconv>

#include "grader/harness/channel.h"
#include "grader/harness/line.h"

// Why fixed buffers throughout: a signal handler tells the story.

namespace kv::grader {
namespace {

struct Step {
  Line text;
  Line code;
};

constexpr std::size_t kNumKeptSteps = 16;
constexpr std::size_t kNumKeptExpectations = 8;

Line heading_line;
Line found_line;
Line replay_line;
Step first_step;  // the start
std::array<Step, kNumKeptSteps> last_steps;
std::size_t num_steps = 0;
std::array<Line, kNumKeptExpectations> expectations;
std::size_t num_expectations = 0;
bool recording = true;

void emit(std::string_view line) {
  if (channel::is_open()) {
    channel::send("story", line);
  } else if (::write(STDOUT_FILENO, line.data(), line.size()) > 0) {
    [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, "\n", 1);
  }
}

void emit(std::string_view before, const Line& line, std::string_view after = "") {
  Line whole;
  emit(whole.append(before).append(line.view()).append(after).view());
}

// The same calls as a test. Its last expectations are those that stood when it broke.
void emit_as_test() {
  emit("the same as a test:");
  emit("  TEST(ShrunkHistory, Breaks) {");
  emit("    SPEC(\"a history that broke\", \"", heading_line, "\");");
  emit("    ", first_step.code);
  for (std::size_t i = 0; i < num_steps; ++i) emit("    ", last_steps[i].code);
  for (std::size_t i = 0; i < num_expectations; ++i) emit("    ", expectations[i]);
  emit("  }");
}

}  // namespace

void spec(std::string_view what, std::string_view heading) {
  heading_line.assign(heading);
  channel::send("spec", what);
  channel::send("heading", heading);
}

void log_start(std::string_view state, std::string_view code) {
  num_steps = 0;
  num_expectations = 0;
  first_step.text.assign("start: ");
  first_step.text.append(state);
  first_step.code.assign(code);
}

void log_step(std::string_view call, std::string_view code) {
  Step& step = last_steps[num_steps++ % kNumKeptSteps];
  std::array<char, 20> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), num_steps).ptr;
  const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
  constexpr std::size_t kNumberWidth = 5;
  step.text.assign("");
  step.text.fill_up_to(kNumberWidth - std::min(number.size(), kNumberWidth));
  step.text.append(number).append(". ").append(call);
  step.code.assign(code);
  num_expectations = 0;
}

void log_result(std::string_view state) {
  if (num_steps == 0) return;
  Line& line = last_steps[(num_steps - 1) % kNumKeptSteps].text;
  constexpr std::size_t kResultColumn = 34;
  line.fill_up_to(kResultColumn);
  line.append("  ").append(state);
}

void log_expectation(std::string_view code) {
  if (num_expectations < kNumKeptExpectations) expectations[num_expectations++].assign(code);
}

void log_as_found(std::string_view found, std::string_view replay) {
  found_line.assign(found);
  replay_line.assign(replay);
}

void emit_log() {
  if (!found_line.empty()) emit(found_line.view());
  if (!first_step.text.empty()) emit(first_step.text.view());
  const std::size_t first_kept = num_steps > kNumKeptSteps ? num_steps - kNumKeptSteps : 0;
  if (first_kept > 0) emit("  ... earlier steps are left out");
  for (std::size_t i = first_kept; i < num_steps; ++i) {
    emit(last_steps[i % kNumKeptSteps].text.view());
  }
  if (found_line.empty()) return;
  emit("to live it again: ", replay_line);
  if (first_kept == 0) emit_as_test();
}

bool is_recording() {
  return recording;
}

void mute() {
  recording = false;
}

void clear_log() {
  found_line.assign("");
  first_step.text.assign("");
  num_steps = 0;
}

}  // namespace kv::grader
