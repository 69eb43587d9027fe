#pragma once
// A list of numbers read as a list of choices.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kv::grader {

using Numbers = std::vector<std::uint32_t>;

// "Which of 5 calls? On which of 3 blocks?" {7, 4} answers 2, then 1: each number modulo what there
// is to choose from. So every list of numbers is a valid list of choices, whatever the state.
class Choices {
 public:
  explicit Choices(Numbers numbers) : numbers_(std::move(numbers)) {}

  // 0 if there is nothing to choose from, and if no number is left.
  std::size_t below(std::size_t num_choices) {
    if (next_ == numbers_.size()) return 0;
    const std::size_t number = numbers_[next_++];
    return num_choices == 0 ? 0 : number % num_choices;
  }

 private:
  Numbers numbers_;
  std::size_t next_ = 0;
};

}  // namespace kv::grader
