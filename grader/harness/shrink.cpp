// To shrink is to try something smaller, and to keep it if it still breaks. There are a few ways to
// be smaller; each is tried until none of them helps any more. None depends on what a call means.

#include "grader/harness/shrink.h"

#include <algorithm>
#include <utility>

namespace kv::grader {
namespace {

class Shrinker {
 public:
  Shrinker(History history, const Breaks& breaks)
      : shortest_(std::move(history)), breaks_(breaks) {}

  History shrink() {
    use_one_object();
    look_at_each_call();
    do {
      while (shrink_sizes() || drop_calls() || drop_pairs()) continue;
    } while (shrink_numbers());
    return shortest_;
  }

 private:
  bool keep_if_broken(History smaller) {
    const std::optional<std::size_t> num_calls = breaks_(smaller);
    if (!num_calls) return false;
    smaller.calls.resize(*num_calls);  // the calls after the break changed nothing
    shortest_ = std::move(smaller);
    return true;
  }

  // Most of what breaks beside another object breaks alone, too: with the calls on one of the two.
  void use_one_object() {
    for (std::uint32_t object = 0; shortest_.num_objects == 2 && object < 2; ++object) {
      History alone = shortest_;
      alone.num_objects = 1;
      alone.calls.clear();
      for (const Numbers& call : shortest_.calls) {
        if ((call.empty() ? 0 : call.front() % 2) != object) continue;
        alone.calls.emplace_back(call.begin() + (call.empty() ? 0 : 1), call.end());
      }
      keep_if_broken(std::move(alone));
    }
  }

  // Then the story has the state after each call.
  void look_at_each_call() {
    History looking = shortest_;
    looking.looks_at_each_call = true;
    if (!shortest_.looks_at_each_call) keep_if_broken(std::move(looking));
  }

  // What fails with forty blocks mostly fails with two.
  bool shrink_sizes() {
    bool has_helped = false;
    for (std::size_t i = 0; i < shortest_.sizes.size(); ++i) {
      for (std::size_t size = 1; size < shortest_.sizes[i]; ++size) {
        History smaller = shortest_;
        smaller.sizes[i] = size;
        has_helped |= keep_if_broken(smaller);
      }
    }
    return has_helped;
  }

  // Delta debugging (Zeller and Hildebrandt, 2002): does it break without this half, this quarter,
  // ..., this one call?
  bool drop_calls() {
    bool has_helped = false;
    for (std::size_t num = shortest_.calls.size() / 2; num > 0; num /= 2) {
      for (std::size_t first = 0; first + num <= shortest_.calls.size();) {
        const bool is_broken = keep_if_broken(without(first, num));
        has_helped |= is_broken;
        if (!is_broken) first += num;
      }
    }
    return has_helped;
  }

  // Some calls make sense together only: a block is removed and appended again.
  bool drop_pairs() {
    for (std::size_t first = 0; first < shortest_.calls.size(); ++first) {
      for (std::size_t second = first + 1; second < shortest_.calls.size(); ++second) {
        History smaller = without(second, 1);
        smaller.calls.erase(smaller.calls.begin() + static_cast<std::ptrdiff_t>(first));
        if (keep_if_broken(smaller)) return true;
      }
    }
    return false;
  }

  // Fewer numbers, and smaller ones, make a simple call: the first kind, on the first block.
  bool shrink_numbers() {
    bool has_helped = false;
    for (std::size_t i = 0; i < shortest_.calls.size(); ++i) {
      for (std::size_t num = 0; num < numbers_of(i).size(); ++num) {
        Numbers fewer = numbers_of(i);
        fewer.resize(num);
        has_helped |= keep_if_broken(with(i, fewer));
      }
      for (std::size_t k = 0; k < numbers_of(i).size(); ++k) has_helped |= shrink_number(i, k);
    }
    return has_helped;
  }

  bool shrink_number(std::size_t i, std::size_t k) {
    constexpr std::uint32_t kNumTried = 16;
    Numbers smaller = numbers_of(i);
    const std::uint32_t end = std::min(std::exchange(smaller[k], 0), kNumTried);
    for (; smaller[k] < end; ++smaller[k]) {
      if (keep_if_broken(with(i, smaller))) return true;
    }
    return false;
  }

  // The numbers of call i; none if the history is now shorter than that.
  Numbers numbers_of(std::size_t i) const {
    return i < shortest_.calls.size() ? shortest_.calls[i] : Numbers{};
  }

  History with(std::size_t i, Numbers numbers) const {
    History changed = shortest_;
    changed.calls[i] = std::move(numbers);
    return changed;
  }

  History without(std::size_t first, std::size_t num) const {
    History shorter = shortest_;
    const auto begin = shorter.calls.begin() + static_cast<std::ptrdiff_t>(first);
    shorter.calls.erase(begin, begin + static_cast<std::ptrdiff_t>(num));
    return shorter;
  }

  History shortest_;
  const Breaks& breaks_;
};

}  // namespace

History shortest(History history, const Breaks& breaks) {
  return Shrinker(std::move(history), breaks).shrink();
}

}  // namespace kv::grader
