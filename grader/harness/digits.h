#pragma once
// A number read as a list of choices.

#include <cstddef>
#include <cstdint>

namespace kv::grader {

// "Which of 5 calls? On which of 3 blocks?" 7 answers 2, then 1: its digits, lowest first, each in
// the base that the question asks for.
class Digits {
 public:
  explicit Digits(std::uint64_t number) : rest_(number) {}

  // 0 where there is no choice.
  std::size_t below(std::size_t base) {
    if (base < 2) return 0;
    const std::size_t digit = rest_ % base;
    rest_ /= base;
    return digit;
  }

 private:
  std::uint64_t rest_;
};

}  // namespace kv::grader
