#include "grader/harness/story_text.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace kv::grader {
namespace {

constexpr std::size_t kNumStepsShown = 16;

enum class Style { kSentence, kCode };

template <class Number>
void append_number(Line& line, Number number) {
  std::array<char, 20> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

// With six digits behind the point. The largest double has 309 before it.
void append_real(Line& line, std::int64_t bits) {
  std::array<char, 330> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                  std::bit_cast<double>(bits), std::chars_format::fixed, 6)
                        .ptr;
  line.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

struct Brackets {
  std::string_view open, before_each, between, close;
};

Brackets brackets_of(ValueKind kind, Style style) {
  if (kind == ValueKind::kReals) return {"", "", " ", ""};
  if (style == Style::kCode && kind == ValueKind::kOptionalList) return {"Ids{", "", ", ", "}"};
  if (style == Style::kCode) return {"{", "", ", ", "}"};
  if (kind == ValueKind::kBlocks) return {"", "#", ", ", ""};
  return {"[", "", " ", "]"};
}

void append_list(Line& line, ValueKind kind, std::span<const std::int64_t> items, Style style) {
  const Brackets brackets = brackets_of(kind, style);
  line.append(brackets.open);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_count = kind == ValueKind::kCounts && i % 2 == 1;
    if (i > 0) line.append(is_count ? ":" : brackets.between);
    line.append(brackets.before_each);
    if (kind == ValueKind::kReals) {
      append_real(line, items[i]);
    } else {
      append_number(line, items[i]);
    }
  }
  line.append(brackets.close);
}

void append_single(Line& line, ValueKind kind, std::int64_t number, Style style) {
  if (kind == ValueKind::kBool) {
    line.append(number == 0 ? "false" : "true");
  } else if (kind == ValueKind::kReal) {
    append_real(line, number);
  } else if (kind == ValueKind::kUnsigned) {
    append_number(line, static_cast<std::uint64_t>(number));
  } else {
    if (kind == ValueKind::kBlock && style == Style::kSentence) line.append("#");
    append_number(line, number);
  }
}

void append_value(Line& line, const StoryRecord& record, const StoryField& field, Style style) {
  const auto numbers = record.numbers(field);
  const bool is_code = style == Style::kCode;
  switch (field.kind) {
    case ValueKind::kText:
      line.append(is_code ? "\"" : "").append(record.text(field)).append(is_code ? "\"" : "");
      return;
    case ValueKind::kNothing:
      line.append(is_code ? "std::nullopt" : "nullopt");
      return;
    case ValueKind::kBool:
    case ValueKind::kNumber:
    case ValueKind::kUnsigned:
    case ValueKind::kReal:
    case ValueKind::kBlock:
      if (!numbers.empty()) return append_single(line, field.kind, numbers[0], style);
      line.append(is_code ? "std::nullopt" : "nullptr");
      return;
    default:
      append_list(line, field.kind, numbers, style);
  }
}

// `form` with the fields of `part` behind `first` for {0}, {1}, ... and the expected result for
// {=}.
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

void append_after_comma(Line& line, bool& is_first, std::string_view text) {
  line.append(is_first ? "" : ", ").append(text);
  is_first = false;
}

void append_state(Line& line, const StoryRecord& record, bool is_first) {
  for (const StoryField& field : record.fields()) {
    if (field.part != StoryPart::kState) continue;
    append_after_comma(line, is_first, record.name(field));
    line.append(" ");
    append_value(line, record, field, Style::kSentence);
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
void append_result(Line& line, const StoryRecord& record) {
  if (record.find(StoryPart::kRefused) != nullptr) {
    line.append("refused; ");
    return append_state(line, record, true);
  }
  bool is_first = true;
  if (const StoryField* form = record.find(StoryPart::kResultSentence)) {
    append_form(line, record, record.text(*form), StoryPart::kResult, 0, Style::kSentence);
    is_first = false;
  } else {
    for (const StoryField& field : record.fields()) {
      if (field.part != StoryPart::kResult) continue;
      append_after_comma(line, is_first, "");
      append_value(line, record, field, Style::kSentence);
    }
  }
  append_state(line, record, is_first);
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
    constexpr std::size_t kResultColumn = 34;
    line.fill_up_to(kResultColumn);
    line.append("  ");
    append_result(line, step);
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

}  // namespace

void draw_sentence(const StoryRecord& record, Line& line) {
  append_form(line, record, record.text_of(StoryPart::kSentence), StoryPart::kArg, 0,
              Style::kSentence);
}

void draw_story(const StoryView& story, LineSink& sink) {
  const std::string_view found = story.head.text_of(StoryPart::kFound);
  if (!found.empty()) sink.line(found);
  if (!story.start.fields().empty()) {
    Line line;
    line.append("start: ");
    draw_sentence(story.start, line);
    append_state(line, story.start, story.start.text_of(StoryPart::kSentence).empty());
    sink.line(line.view());
  }
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
