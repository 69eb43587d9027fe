#include "grader/harness/test_log.h"

#include <limits.h>
#include <unistd.h>

#include "grader/harness/channel.h"
#include "grader/harness/record_kinds.h"
#include "grader/harness/story_text.h"

// Why fixed memory throughout: a signal handler hands the story over.

namespace kv::grader {
namespace {

constexpr std::size_t kNumKeptSteps = 64;

StoryRecord start_record;
std::array<StoryRecord, kNumKeptSteps> last_steps;
std::size_t num_steps = 0;
Line heading_line;
Line found_line;
Line replay_line;
Line refusal_line;
bool recording = true;
bool looks_are_allowed = true;
TestObject test_object = TestObject::kOnly;

// A record of the channel that is written in one piece, whatever other threads send.
constexpr std::size_t kMaxPayload = PIPE_BUF - 100;

void send(const StoryRecord& record) {
  for (std::span<const std::byte> bytes : record.bytes()) {
    while (!bytes.empty()) {
      const auto piece = bytes.first(std::min(bytes.size(), kMaxPayload));
      channel::send(record_kind::kStoryPart,
                    {reinterpret_cast<const char*>(piece.data()), piece.size()});
      bytes = bytes.subspan(piece.size());
    }
  }
}

class StandardOutput : public LineSink {
  void line(std::string_view text) override {
    if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) return;
    [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, "\n", 1);
  }
};

void add_form(StoryRecord& record, const CallForm& form) {
  record.add_text(StoryPart::kCall, "", form.call);
  if (test_object == TestObject::kOnly) {
    record.add_text(StoryPart::kSentence, "", form.sentence);
    if (!form.code.empty()) record.add_text(StoryPart::kCode, "", form.code);
  } else {
    Line sentence;
    sentence.append(test_object == TestObject::kFirst ? "first: " : "second: ");
    record.add_text(StoryPart::kSentence, "", sentence.append(form.sentence).view());
  }
}

}  // namespace

void spec(std::string_view what,
          std::string_view heading,
          std::initializer_list<std::string_view> quotes) {
  heading_line = {};
  heading_line.append(heading);
  channel::send(record_kind::kSpec, what);
  channel::send(record_kind::kHeading, heading);
  for (const std::string_view quote : quotes) channel::send(record_kind::kQuote, quote);
}

StoryRecord& test_log::begin_start(std::string_view object, const CallForm& form) {
  if (test_object == TestObject::kSecond) {
    Line sentence;
    sentence.append("a new one");
    if (!form.sentence.empty()) sentence.append(", ").append(form.sentence);
    return begin_step({form.call, sentence.view()});
  }
  num_steps = 0;
  start_record.begin(0);
  start_record.add_text(StoryPart::kObject, "", object);
  add_form(start_record, form);
  return start_record;
}

StoryRecord& test_log::begin_step(const CallForm& form) {
  StoryRecord& record = last_steps[num_steps % kNumKeptSteps];
  record.begin(num_steps + 1);
  add_form(record, form);
  if (!refusal_line.empty()) record.add_text(StoryPart::kMustBeRefused, "", refusal_line.view());
  ++num_steps;
  return record;
}

StoryRecord& test_log::last() {
  return num_steps == 0 ? start_record : last_steps[(num_steps - 1) % kNumKeptSteps];
}

std::string last_call() {
  Line line;
  if (recording) draw_sentence(test_log::last(), line);
  return std::string(line.view());
}

ToBeRefused::ToBeRefused(std::string_view why) {
  refusal_line.append(why);
}

ToBeRefused::~ToBeRefused() {
  refusal_line = {};
}

void log_exception(std::string_view what) {
  if (recording) test_log::last().add_text(StoryPart::kException, "", what);
}

void log_as_found(std::string_view found, std::string_view replay) {
  found_line = {};
  found_line.append(found);
  replay_line = {};
  replay_line.append(replay);
}

void emit_log() {
  static StoryRecord head;
  head.begin(num_steps);
  head.add_text(StoryPart::kFound, "", found_line.view());
  head.add_text(StoryPart::kReplay, "", replay_line.view());
  head.add_text(StoryPart::kHeading, "", heading_line.view());
  std::array<const StoryRecord*, kNumKeptSteps> steps;
  const std::size_t num_kept = std::min(num_steps, kNumKeptSteps);
  for (std::size_t i = 0; i < num_kept; ++i) {
    steps[i] = &last_steps[(num_steps - num_kept + i) % kNumKeptSteps];
  }
  if (channel::is_open()) {
    channel::send(record_kind::kStory, "");
    send(head);
    send(start_record);
    for (std::size_t i = 0; i < num_kept; ++i) send(*steps[i]);
  } else {
    StandardOutput output;
    draw_story({head, start_record, std::span(steps).first(num_kept)}, output);
  }
}

bool is_recording() {
  return recording;
}

void mute() {
  recording = false;
}

bool may_look() {
  return looks_are_allowed;
}

void allow_looks(bool is_allowed) {
  looks_are_allowed = is_allowed;
}

void log_object(TestObject object) {
  test_object = object;
}

void clear_log() {
  looks_are_allowed = true;
  test_object = TestObject::kOnly;
  found_line = {};
  replay_line = {};
  start_record.begin(0);
  num_steps = 0;
}

}  // namespace kv::grader
