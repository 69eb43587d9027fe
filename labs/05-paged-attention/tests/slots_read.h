#pragma once
// Which slots a wrong result depends on, for the story of the failure. The call is repeated for
// each slot, with NaN in this slot and nowhere else: the result is NaN if it depends on the slot.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "05-paged-attention/paged_layout.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

// A copy of a cache: 0 in place of all that is NaN, and NaN in `slot`.
template <class Real>
class CacheWithNaN {
 public:
  CacheWithNaN(const KVCache<Real>& cache, std::optional<SlotId> slot)
      : layout_(cache.layout),
        keys_(cache.key_cache.begin(), cache.key_cache.end()),
        values_(cache.value_cache.begin(), cache.value_cache.end()) {
    for (std::vector<Real>* numbers : {&keys_, &values_}) {
      std::ranges::replace_if(
          *numbers, [](Real number) { return std::isnan(number); }, Real{0});
      if (slot) std::ranges::fill(row(*numbers, *slot), std::numeric_limits<Real>::quiet_NaN());
    }
  }

  KVCache<Real> view() { return {layout_, keys_, values_}; }

 private:
  std::span<Real> row(std::vector<Real>& numbers, SlotId slot) const {
    return std::span(numbers).subspan(layout_.index(slot, 0), layout_.token_size());
  }

  PagedLayout layout_;
  std::vector<Real> keys_;
  std::vector<Real> values_;
};

// result_with(slot): what the call gives if this slot is NaN; nullopt: no slot is. num_numbers: of
// the cache.
template <class Result>
void log_slots_read(std::size_t num_slots, std::size_t num_numbers, Result result_with) {
  constexpr std::size_t kMaxNumbers = 500'000;  // Why: what a test may do is limited.
  const auto is_nan_with = [&](std::optional<SlotId> slot) {
    return std::ranges::any_of(result_with(slot), [](auto number) { return std::isnan(number); });
  };
  if (!is_recording() || num_slots * num_numbers > kMaxNumbers || is_nan_with(std::nullopt)) return;
  std::vector<SlotId> read;
  for (SlotId slot = 0; slot < static_cast<SlotId>(num_slots); ++slot) {
    if (is_nan_with(slot)) read.push_back(slot);
  }
  log_detail("read", read);
}

// attend(cache): the result of the call on another cache of this layout.
template <class Real, class Attend>
void log_slots_read(const KVCache<Real>& cache, Attend attend) {
  log_slots_read(cache.layout.num_slots(), cache.layout.size(), [&](std::optional<SlotId> slot) {
    return attend(CacheWithNaN<Real>(cache, slot).view());
  });
}

}  // namespace kv::grader
