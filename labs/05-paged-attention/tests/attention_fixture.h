#pragma once
// The tests of both ways to attend are written once; each way has its own step and heading.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "05-paged-attention/paged_layout.h"
#include "05-paged-attention/tests/paged_fixture.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

// Which slots a wrong result depends on, for the story of the failure. The call is repeated for
// each slot, with NaN in this slot and nowhere else: the result is NaN if it depends on the slot.
//
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

struct TwoPasses {
  static constexpr const char* kName = "TwoPasses";
  static constexpr const char* kStep = "5.4 paged_attention";
  static constexpr const char* kCall = "paged_attention(seq_len, block_table, poison)";
  template <class Real>
  static void attend(std::span<Real> out,
                     std::span<const Real> query,
                     const KVCache<Real>& cache,
                     std::span<const BlockId> block_table,
                     std::size_t seq_len,
                     Real scale) {
    paged_attention<Real>(out, query, cache, block_table, seq_len, scale);
  }
  // The words of its contract that say so.
  static constexpr const char* claim(const char* words) { return words; }
};

struct Streaming {
  static constexpr const char* kName = "Streaming";
  static constexpr const char* kStep = "5.9 paged_attention_streaming";
  static constexpr const char* kCall = "paged_attention_streaming(seq_len, block_table, poison)";
  template <class Real>
  static void attend(std::span<Real> out,
                     std::span<const Real> query,
                     const KVCache<Real>& cache,
                     std::span<const BlockId> block_table,
                     std::size_t seq_len,
                     Real scale) {
    paged_attention_streaming<Real>(out, query, cache, block_table, seq_len, scale);
  }
  // The words of its contract that say so.
  static constexpr const char* claim(const char*) { return "in one pass over keys"; }
};

struct WayName {
  template <class Way>
  static std::string GetName(int) {
    return Way::kName;
  }
};

using Ways = testing::Types<TwoPasses, Streaming>;

// Same order of operations, same type: any larger difference is a bug.
constexpr double kDoubleTolerance = 1e-12;

// In float, as large as the error of a sum of that many terms may be.
template <class Real>
constexpr double tolerance_of(std::size_t num_terms) {
  if (sizeof(Real) == sizeof(double)) return kDoubleTolerance;
  return double{sum_tolerance<float>(num_terms)};
}

// Every number of `actual`, [num_heads, head_dim], against `expected`. Never true of a NaN, of
// which draw_reason_of_nan says where it comes from. if_wrong: adds to the story, before it is
// handed over.
template <class Real>
void expect_near(const std::vector<Real>& actual,
                 const std::vector<double>& expected,
                 double tolerance,
                 std::size_t head_dim,
                 std::span<const SlotId> written = {},
                 const std::function<void()>& if_wrong = {}) {
  const std::vector<double> wide(actual.begin(), actual.end());
  const std::size_t i = first_difference<double>(wide, expected, tolerance);
  if (i == expected.size()) return;
  if (if_wrong) if_wrong();
  ADD_FAILURE() << "query head " << i / head_dim << ", dimension " << i % head_dim << ": expected "
                << draw(expected[i]) << ", yours is " << draw(wide[i]) << " (tolerance "
                << draw(tolerance) << ")" << draw_reason_of_nan(actual[i], written);
}

inline void log_shape(const Shape& shape, std::string_view more = "") {
  log_start("",
            {"shape(num_heads, num_kv_heads, head_dim, block_size, seq_len, more)",
             "num_heads {0}, num_kv_heads {1}, head_dim {2}, block_size {3}, seq_len {4}{5}"},
            shape.num_heads, shape.num_kv_heads, shape.head_dim, shape.block_size, shape.seq_len,
            more);
}

// Attends to a sequence as `Way` does, in a placement drawn now, among poison.
template <class Way, class Real>
class PlacedCall {
 public:
  PlacedCall(PagedFixture& fixture, Real poison)
      : fixture_(fixture), poison_(poison), cache_(fixture.template place<Real>(table_, poison)) {}

  std::vector<Real> attend() {
    const Shape& shape = fixture_.shape();
    log_step({Way::kCall, "attend to {0} tokens, table {1}; all other slots hold {2}"},
             shape.seq_len, std::span(table_).first(shape.num_blocks()), poison_);
    const std::vector<Real> out = attend_in(cache_.view());
    log_returned();
    return out;
  }

  void log_slots_read() {
    grader::log_slots_read(cache_.view(),
                           [this](const KVCache<Real>& cache) { return attend_in(cache); });
  }

 private:
  std::vector<Real> attend_in(const KVCache<Real>& cache) const {
    const std::vector<Real> query = as<Real>(fixture_.query());
    std::vector<Real> out(query.size(), std::isnan(poison_) ? unwritten<Real>() : poison_);
    Way::template attend<Real>(out, query, cache, table_, fixture_.shape().seq_len,
                               static_cast<Real>(fixture_.scale()));
    return out;
  }

  PagedFixture& fixture_;
  Real poison_;
  std::vector<BlockId> table_;
  PoisonedCache<Real> cache_;
};

template <class Way>
class Attention : public testing::Test {
 public:
  template <class Real>
  std::vector<Real> attend(PagedFixture& fixture, Real poison) {
    return PlacedCall<Way, Real>(fixture, poison).attend();
  }

  template <class Real>
  void expect_dense(PagedFixture fixture, double tolerance) {
    log_shape(fixture.shape(), fixture.draw_scale());
    for (const Real poison : kPoisons<Real>) {
      PlacedCall<Way, Real> call(fixture, poison);
      expect_near(call.attend(), fixture.expected(), tolerance, fixture.shape().head_dim, {},
                  [&] { call.log_slots_read(); });
    }
  }

  // In each of these types. A score is a sum of head_dim terms and the result one of seq_len, with
  // weights that sum to 1.
  template <class... Real>
  void expect_dense_in(const PagedFixture& fixture) {
    const std::size_t num_terms = fixture.shape().head_dim + fixture.shape().seq_len;
    (expect_dense<Real>(fixture, tolerance_of<Real>(num_terms)), ...);
  }
};

// The state of a head after some tokens: made, logged and compared.
template <class Real = double>
AttentionState<Real> state_of(Real max, Real sum, const std::vector<Real>& out) {
  AttentionState<Real> state(out.size());
  state.max = max;
  state.sum = sum;
  state.out = out;
  return state;
}

template <class Real>
std::string draw_state(const AttentionState<Real>& state) {
  return "max " + draw(state.max) + ", sum " + draw(state.sum) + ", out " + draw(state.out);
}

template <class Real>
void log_attention_state(const AttentionState<Real>& state) {
  log_state("max", state.max);
  log_state("sum", state.sum);
  log_state("out", state.out);
}

template <class Real>
void expect_state(const AttentionState<Real>& actual, const AttentionState<Real>& expected) {
  std::vector<Real> numbers = {actual.max, actual.sum}, wanted = {expected.max, expected.sum};
  numbers.insert(numbers.end(), actual.out.begin(), actual.out.end());
  wanted.insert(wanted.end(), expected.out.begin(), expected.out.end());
  const auto tolerance = static_cast<Real>(tolerance_of<Real>(16));
  if (first_difference<Real>(numbers, wanted, tolerance) == wanted.size()) return;
  std::string reason;
  for (const Real number : numbers) {
    if (reason.empty()) reason = draw_reason_of_nan(number);
  }
  ADD_FAILURE() << "expected " << draw_state(expected) << "\n   yours is " << draw_state(actual)
                << reason;
}

}  // namespace kv::grader
