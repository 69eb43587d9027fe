#pragma once
// A story as text. Allocates nothing, because a signal handler prints it if there is no grader.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/harness/story.h"

namespace kv::grader {

// A line of text in a buffer of its own. What does not fit is cut off, and is_cut says so.
class Line {
 public:
  Line& append(std::string_view text) {
    const std::size_t num_kept = std::min(text.size(), text_.size() - size_);
    std::copy_n(text.data(), num_kept, text_.data() + size_);
    size_ += num_kept;
    is_cut_ |= num_kept < text.size();
    return *this;
  }

  void fill_up_to(std::size_t column) {
    while (size_ < std::min(column, text_.size())) text_[size_++] = ' ';
  }

  bool empty() const { return size_ == 0; }
  bool is_cut() const { return is_cut_; }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 400> text_;
  std::size_t size_ = 0;
  bool is_cut_ = false;
};

// The values of a story, for a person or as a line of a test.
enum class Style { kSentence, kCode };

void append_number(Line& line, std::uint64_t number);
void append_value(Line& line, const StoryRecord& record, const StoryField& field, Style style);

class LineSink {
 public:
  virtual ~LineSink() = default;
  virtual void line(std::string_view text) = 0;
};

void draw_story(const StoryView& story, LineSink& sink);

// The call of a step as a person reads it: "touch(#1, #2)"; for the start, the state.
void draw_sentence(const StoryRecord& record, Line& line);

}  // namespace kv::grader
