// To shrink is to try something smaller, and to keep it if it breaks as well. Three ways to be
// smaller, tried in turn until none of them helps any more. None knows what a call means.

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
    bool has_helped = true;
    while (has_helped) {
      has_helped = shrink_world();
      has_helped |= drop_calls();
      has_helped |= shrink_numbers();
    }
    return shortest_;
  }

 private:
  bool keep_if_broken(History smaller) {
    const std::optional<std::size_t> num_calls = breaks_(smaller);
    if (!num_calls) return false;
    smaller.calls.resize(*num_calls);  // what came after the break changed nothing
    shortest_ = std::move(smaller);
    return true;
  }

  // What goes wrong among forty blocks mostly goes wrong among two.
  bool shrink_world() {
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
        History smaller = shortest_;
        const auto begin = smaller.calls.begin() + static_cast<std::ptrdiff_t>(first);
        smaller.calls.erase(begin, begin + static_cast<std::ptrdiff_t>(num));
        const bool is_broken = keep_if_broken(smaller);
        has_helped |= is_broken;
        if (!is_broken) first += num;
      }
    }
    return has_helped;
  }

  // A small number is a simple call: the first kind there is, on the first block there is.
  bool shrink_numbers() {
    constexpr std::uint64_t kNumTried = 256;
    bool has_helped = false;
    for (std::size_t i = 0; i < shortest_.calls.size(); ++i) {
      for (std::uint64_t number = 0; number < std::min(shortest_.calls[i], kNumTried); ++number) {
        History smaller = shortest_;
        smaller.calls[i] = number;
        has_helped |= keep_if_broken(smaller);
        if (i >= shortest_.calls.size()) break;
      }
    }
    return has_helped;
  }

  History shortest_;
  const Breaks& breaks_;
};

}  // namespace

History shortest(History history, const Breaks& breaks) {
  return Shrinker(std::move(history), breaks).shrink();
}

}  // namespace kv::grader
