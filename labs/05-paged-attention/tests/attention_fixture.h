#pragma once
// The tests of both ways to attend are written once; each has its own step and heading.

#include <string>
#include <vector>

#include "05-paged-attention/tests/paged_fixture.h"
#include "grader/harness/draw.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

struct TwoPasses {
  static constexpr const char* kName = "TwoPasses";
  static constexpr const char* kStep = "5.4 paged_attention";
  template <class Real>
  static constexpr auto* kAttend = &paged_attention<Real>;
};

struct Streaming {
  static constexpr const char* kName = "Streaming";
  static constexpr const char* kStep = "5.9 paged_attention_streaming";
  template <class Real>
  static constexpr auto* kAttend = &paged_attention_streaming<Real>;
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

// Every number of `actual`, [num_heads, head_dim], against `expected`. Never true of a NaN.
template <class Real>
void expect_near(const std::vector<Real>& actual,
                 const std::vector<double>& expected,
                 double tolerance,
                 std::size_t head_dim) {
  const std::vector<double> wide(actual.begin(), actual.end());
  const std::size_t i = first_difference<double>(wide, expected, tolerance);
  if (i == expected.size()) return;
  ADD_FAILURE() << "query head " << i / head_dim << ", dimension " << i % head_dim << ": expected "
                << expected[i] << ", yours is " << wide[i] << " (tolerance " << tolerance << ")";
}

template <class Way>
class Attention : public testing::Test {
 public:
  // Attends as `Way` does, in a placement drawn now, among poison.
  template <class Real>
  std::vector<Real> attend(PagedFixture& fixture, Real poison) {
    std::vector<BlockId> table;
    PoisonedCache<Real> cache = fixture.template place<Real>(table, poison);
    const Shape& shape = fixture.shape();
    log_step("attend to " + std::to_string(shape.seq_len) + " tokens, table " +
             draw(std::vector(table.begin(), table.begin() + std::ptrdiff_t(shape.num_blocks()))) +
             ", poison " + std::to_string(poison));
    const std::vector<Real> query = as<Real>(fixture.query());
    std::vector<Real> out(query.size(), poison);
    Way::template kAttend<Real>(out, query, cache.view(), table, shape.seq_len,
                                static_cast<Real>(fixture.scale()));
    log_result("returned");
    return out;
  }

  template <class Real>
  void expect_dense(PagedFixture fixture, double tolerance) {
    log_start(draw(fixture.shape()));
    for (const Real poison : kPoisons<Real>) {
      expect_near(attend<Real>(fixture, poison), fixture.expected(), tolerance,
                  fixture.shape().head_dim);
    }
  }
};

}  // namespace kv::grader
