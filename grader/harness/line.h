#pragma once
// A line of text in a buffer of its own, for signal handlers, which may not allocate.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace kv::grader {

class Line {
 public:
  void assign(std::string_view text) {
    size_ = 0;
    append(text);
  }

  // What does not fit is cut off.
  Line& append(std::string_view text) {
    const std::size_t num_kept = std::min(text.size(), text_.size() - size_);
    std::copy_n(text.data(), num_kept, text_.data() + size_);
    size_ += num_kept;
    return *this;
  }

  void fill_up_to(std::size_t column) {
    while (size_ < std::min(column, text_.size())) text_[size_++] = ' ';
  }

  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 400> text_;
  std::size_t size_ = 0;
};

}  // namespace kv::grader
