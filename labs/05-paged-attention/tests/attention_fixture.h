#pragma once
// The tests of both ways to attend are written once; each way has its own step and heading.

#include <functional>
#include <string>
#include <vector>

#include "05-paged-attention/tests/paged_fixture.h"
#include "05-paged-attention/tests/slots_read.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"

namespace kv::grader {

struct TwoPasses {
  static constexpr const char* kName = "TwoPasses";
  static constexpr const char* kStep = "5.4 paged_attention";
  static constexpr const char* kCall = "paged_attention(seq_len, block_table, poison)";
  template <class Real>
  static constexpr auto* kAttend = &paged_attention<Real>;
  // The words of its contract that say so.
  static constexpr const char* claim(const char* words) { return words; }
};

struct Streaming {
  static constexpr const char* kName = "Streaming";
  static constexpr const char* kStep = "5.9 paged_attention_streaming";
  static constexpr const char* kCall = "paged_attention_streaming(seq_len, block_table, poison)";
  template <class Real>
  static constexpr auto* kAttend = &paged_attention_streaming<Real>;
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
    Way::template kAttend<Real>(out, query, cache, table_, fixture_.shape().seq_len,
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
};

}  // namespace kv::grader
