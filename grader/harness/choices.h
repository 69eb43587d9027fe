#pragma once
// A list of numbers read as a list of choices.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

// One more than there are, or a number of which the low 8, 16 or 32 bits are no more, or the
// largest.
inline std::size_t more_than(std::size_t num, Choices& choices) {
  constexpr std::array<std::size_t, 4> kSteps = {1, 0x100, 0x1'0000, 0x1'0000'0000};
  const std::size_t i = choices.below(kSteps.size() + 1);
  return i == kSteps.size() ? std::numeric_limits<std::size_t>::max() : num + kSteps[i];
}

}  // namespace kv::grader
