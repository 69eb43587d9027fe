#include "grader/harness/story_text.h"

#include <algorithm>

#include "grader/harness/story_values.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumStepsShown = 16;

// Appends `form`. The fields of `part` from number `first` on replace {0}, {1}, ..., and the
// expected result replaces {=}.
void append_form(Line& line,
                 const StoryRecord& record,
                 std::string_view form,
                 StoryPart part,
                 std::size_t first,
                 Style style) {
  const auto fields = record.fields();
  const auto nth = [&](std::size_t n) -> const StoryField* {
    for (std::size_t i = first; i < fields.size(); ++i) {
      if (fields[i].part == part && n-- == 0) return &fields[i];
    }
    return nullptr;
  };
  while (!form.empty()) {
    const std::size_t at = std::min(form.find('{'), form.size());
    line.append(form.substr(0, at));
    form.remove_prefix(at);
    if (form.size() < 3) break;
    const StoryField* field = form[1] == '=' ? record.find(StoryPart::kExpectedResult)
                                             : nth(static_cast<std::size_t>(form[1] - '0'));
    if (field != nullptr) append_value(line, record, *field, style);
    form.remove_prefix(3);
  }
}

// Parts of a line, with commas between them. What has no room goes on in the next line.
class Parts {
 public:
  Parts(Line& line, std::size_t indentation, LineSink& sink)
      : line_(line), indentation_(indentation), sink_(sink) {}

  void add(const Line& part) {
    constexpr std::size_t kWidth = 118;
    if (!is_first_) line_.append(",");
    if (!is_first_ && line_.view().size() + 1 + part.view().size() > kWidth) {
      sink_.line(line_.view());
      line_ = {};
      line_.fill_up_to(indentation_);
    } else if (!is_first_) {
      line_.append(" ");
    }
    line_.append(part.view());
    is_first_ = false;
  }

 private:
  Line& line_;
  std::size_t indentation_;
  LineSink& sink_;
  bool is_first_ = true;
};

void add_state(Parts& parts, const StoryRecord& record) {
  for (const StoryField& field : record.fields()) {
    if (field.part != StoryPart::kState) continue;
    Line part;
    part.append(record.name(field)).append(" ");
    append_value(part, record, field, Style::kSentence);
    parts.add(part);
  }
}

bool has_come_back(const StoryRecord& record) {
  for (const StoryPart part :
       {StoryPart::kResultSentence, StoryPart::kResult, StoryPart::kRefused, StoryPart::kState}) {
    if (record.find(part) != nullptr) return true;
  }
  return false;
}

// "#0, free [1 2]", "refused; free [0]".
void append_result(Line& line, const StoryRecord& record, LineSink& sink) {
  Parts parts(line, line.view().size(), sink);
  if (record.find(StoryPart::kRefused) != nullptr) {
    line.append("refused; ");
  } else if (const StoryField* form = record.find(StoryPart::kResultSentence)) {
    Line part;
    append_form(part, record, record.text(*form), StoryPart::kResult, 0, Style::kSentence);
    parts.add(part);
  } else {
    for (const StoryField& field : record.fields()) {
      if (field.part != StoryPart::kResult) continue;
      Line part;
      append_value(part, record, field, Style::kSentence);
      parts.add(part);
    }
  }
  add_state(parts, record);
}

void draw_step(const StoryRecord& step, LineSink& sink) {
  Line number;
  append_number(number, step.number());
  Line line;
  constexpr std::size_t kNumberWidth = 5;
  line.fill_up_to(kNumberWidth - std::min(number.view().size(), kNumberWidth));
  line.append(number.view()).append(". ");
  draw_sentence(step, line);
  if (has_come_back(step)) {
    constexpr std::size_t kResultColumn = 34, kWidth = 80;
    if (line.view().size() > kWidth) {
      sink.line(line.view());
      line = {};
    }
    line.fill_up_to(kResultColumn);
    line.append("  ");
    append_result(line, step, sink);
  }
  sink.line(line.view());
}

// What a line of the test calls: the step, or an expectation of its state.
void draw_code(const StoryView& story,
               const StoryRecord& record,
               std::string_view form,
               StoryPart part,
               std::size_t first,
               LineSink& sink) {
  Line line;
  line.append("    ");
  if (!form.empty()) {
    line.append(story.start.text_of(StoryPart::kObject)).append(".");
    append_form(line, record, form, part, first, Style::kCode);
    line.append(";");
  }
  sink.line(line.view());
}

// The same calls as a test. Its last expectations are those that stood when it broke.
void draw_test(const StoryView& story, LineSink& sink) {
  sink.line("the same as a test:");
  sink.line("  TEST(ShrunkHistory, Breaks) {");
  Line spec;
  spec.append("    SPEC(\"a history that broke\", \"");
  sink.line(spec.append(story.head.text_of(StoryPart::kHeading)).append("\");").view());
  Line start;
  start.append("    ");
  append_form(start, story.start, story.start.text_of(StoryPart::kCode), StoryPart::kArg, 0,
              Style::kCode);
  sink.line(start.view());
  for (const StoryRecord* step : story.steps) {
    draw_code(story, *step, step->text_of(StoryPart::kCode), StoryPart::kArg, 0, sink);
  }
  const StoryRecord& last = story.steps.empty() ? story.start : *story.steps.back();
  const auto fields = last.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].part != StoryPart::kExpectationCode) continue;
    draw_code(story, last, last.text(fields[i]), StoryPart::kExpected, i, sink);
  }
  sink.line("  }");
}

// "BlockPool(4, 16)": what the start was to be, if its state could not be looked at.
void append_constructor(Line& line, const StoryRecord& start) {
  const std::string_view call = start.text_of(StoryPart::kCall);
  line.append(call.substr(0, call.find('(')));
  std::string_view between = "(";
  for (const StoryField& field : start.fields()) {
    if (field.part != StoryPart::kArg) continue;
    line.append(between);
    append_value(line, start, field, Style::kSentence);
    between = ", ";
  }
  line.append(")");
}

void draw_start(const StoryRecord& start, LineSink& sink) {
  Line line, sentence;
  line.append("start: ");
  Parts parts(line, line.view().size(), sink);
  draw_sentence(start, sentence);
  const bool has_state = start.find(StoryPart::kState) != nullptr;
  if (sentence.empty() && !has_state) append_constructor(sentence, start);
  if (sentence.view().ends_with(": ")) {
    line.append(sentence.view());  // of two objects, which one it is
  } else if (!sentence.empty()) {
    parts.add(sentence);
  }
  add_state(parts, start);
  sink.line(line.view());
}

}  // namespace

void draw_sentence(const StoryRecord& record, Line& line) {
  append_form(line, record, record.text_of(StoryPart::kSentence), StoryPart::kArg, 0,
              Style::kSentence);
}

void draw_story(const StoryView& story, LineSink& sink) {
  const std::string_view found = story.head.text_of(StoryPart::kFound);
  if (!found.empty()) sink.line(found);
  if (!story.start.fields().empty()) draw_start(story.start, sink);
  const std::size_t num_shown = std::min(story.steps.size(), kNumStepsShown);
  const bool is_whole = num_shown == story.head.number();
  if (!is_whole) sink.line("  ... earlier steps are left out");
  for (const StoryRecord* step : story.steps.last(num_shown)) draw_step(*step, sink);
  if (found.empty()) return;
  Line replay;
  replay.append("to run it again: ");
  sink.line(replay.append(story.head.text_of(StoryPart::kReplay)).view());
  const auto has_code = [](auto* step) { return !step->text_of(StoryPart::kCode).empty(); };
  if (is_whole && std::ranges::any_of(story.steps, has_code)) draw_test(story, sink);
}

}  // namespace kv::grader
