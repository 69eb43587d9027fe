#include "grader/harness/story_text.h"

#include <algorithm>

namespace kv::grader {
namespace {

constexpr std::size_t kNumStepsShown = 16;

// Does it begin with {0}, {1}, ... or {=}? Any other brace is C++.
bool begins_with_placeholder(std::string_view form) {
  return form.size() >= 3 && form[2] == '}' &&
         (form[1] == '=' || ('0' <= form[1] && form[1] <= '9'));
}

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
    if (!begins_with_placeholder(form)) {
      line.append(form.substr(0, 1));
      form.remove_prefix(std::min<std::size_t>(form.size(), 1));
      continue;
    }
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

// The lines of a test that makes the same calls. Where a call or what is expected after it has no
// line, or a value has no room, there is no such test: it would not do what the history did.
class TestLines {
 public:
  TestLines(const StoryView& story, LineSink& sink) : story_(story), sink_(sink) {}

  // False: there is no such test, and the lines so far are not to be shown.
  bool draw() {
    sink_.line("the same as a test:");
    sink_.line("  TEST(ShrunkHistory, Breaks) {");
    Line spec;
    spec.append("    SPEC(\"a history that broke\", \"");
    sink_.line(spec.append(story_.head.text_of(StoryPart::kHeading)).append("\");").view());
    draw_start();
    for (const StoryRecord* step : story_.steps) draw_call(*step);
    draw_expectations(story_.steps.empty() ? story_.start : *story_.steps.back());
    sink_.line("  }");
    return is_whole_;
  }

 private:
  void draw_start() {
    Line line;
    append_code(line, story_.start, story_.start.text_of(StoryPart::kCode), StoryPart::kArg, 0);
    finish(line);
  }

  void draw_call(const StoryRecord& step) {
    if (has_come_back(step)) allow_looks(step.find(StoryPart::kState) != nullptr);
    const StoryField* reason = step.find(StoryPart::kMustBeRefused);
    Line line;
    if (reason != nullptr) {
      line.append("expect_refused(").append(object()).append(", \"").append(step.text(*reason));
      line.append("\", [&] { ");
    }
    line.append(object()).append(".");
    append_code(line, step, step.text_of(StoryPart::kCode), StoryPart::kArg, 0);
    finish(line.append(reason != nullptr ? "; });" : ";"));
  }

  // Those of the last call are the ones that stood when the history broke.
  void draw_expectations(const StoryRecord& last) {
    const auto fields = last.fields();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].part != StoryPart::kExpectationCode) continue;
      Line line;
      line.append(object()).append(".");
      append_code(line, last, last.text(fields[i]), StoryPart::kExpected, i);
      finish(line.append(";"));
    }
  }

  // A history may look at the state in the end only; then its test does the same.
  void allow_looks(bool is_allowed) {
    if (is_allowed == looks_) return;
    looks_ = is_allowed;
    sink_.line(is_allowed ? "    allow_looks(true);" : "    allow_looks(false);");
  }

  void append_code(Line& line,
                   const StoryRecord& record,
                   std::string_view form,
                   StoryPart part,
                   std::size_t first) {
    const auto is_cut = [](const StoryField& field) { return field.num_cut > 0; };
    is_whole_ &= !form.empty() && record.num_fields_cut() == 0;
    is_whole_ &= std::ranges::none_of(record.fields(), is_cut);
    append_form(line, record, form, part, first, Style::kCode);
  }

  void finish(const Line& code) {
    Line line;
    line.append("    ").append(code.view());
    is_whole_ &= !code.is_cut() && !line.is_cut();
    sink_.line(line.view());
  }

  std::string_view object() const { return story_.start.text_of(StoryPart::kObject); }

  const StoryView& story_;
  LineSink& sink_;
  bool is_whole_ = true;
  bool looks_ = true;
};

class NoLines : public LineSink {
  void line(std::string_view) override {}
};

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
    line.append(sentence.view());  // says which of two objects it is
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
  NoLines nowhere;
  if (is_whole && TestLines(story, nowhere).draw()) TestLines(story, sink).draw();
}

}  // namespace kv::grader
