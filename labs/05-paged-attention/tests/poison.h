#pragma once
// What is in memory that must not be read. A NaN has 22 bits that mean nothing, 51 in double, and
// arithmetic passes them on: here they are the number of the slot, so a result says what was read.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "05-paged-attention/paged_layout.h"
#include "grader/harness/draw.h"

namespace kv::grader {

// The first shows up in every sum, the second in a maximum too.
template <class Real>
constexpr std::array<Real, 2> kPoisons = {std::numeric_limits<Real>::quiet_NaN(), Real{1e6}};

template <class Real>
struct NaNBits {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

  static constexpr Bits kQuiet = std::bit_cast<Bits>(std::numeric_limits<Real>::quiet_NaN());
  // Why of float in both: a double that comes from a float has no more.
  static constexpr std::uint32_t kUnwritten = (1u << 22) - 1;

  static Real with(std::uint32_t payload) { return std::bit_cast<Real>(kQuiet | Bits{payload}); }
  static std::uint32_t payload(Real number) {
    return static_cast<std::uint32_t>(std::bit_cast<Bits>(number) & kUnwritten);
  }
};

// For `out` before a call.
template <class Real>
Real unwritten() {
  return NaNBits<Real>::with(NaNBits<Real>::kUnwritten);
}

// Slots of token_size numbers, from first_slot on, that must not be read.
template <class Real>
void poison_slots(std::span<Real> numbers, std::size_t token_size, std::size_t first_slot = 0) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t slot = first_slot + i / token_size;
    numbers[i] = NaNBits<Real>::with(static_cast<std::uint32_t>(slot + 1));
  }
}

inline constexpr const char* kI11 =
    "I11: attention over seq_len tokens reads the slots of positions 0 to seq_len - 1 and no "
    "others,\n   not even with weight 0";

// Why a result is NaN; empty if it is a number. written: slots of the sequence that the code under
// test had to write.
template <class Real>
std::string draw_reason_of_nan(Real number, std::span<const SlotId> written = {}) {
  if (!std::isnan(number)) return "";
  const std::uint32_t payload = NaNBits<Real>::payload(number);
  if (payload == NaNBits<Real>::kUnwritten) return "\n   out is as it was before the call";
  if (payload > 0 && std::ranges::count(written, SlotId{payload} - 1) > 0) {
    return "\n   it comes of slot " + std::to_string(payload - 1) +
           ", one of this sequence's, to which nothing has been written";
  }
  const std::string slot =
      payload == 0 ? "a slot" : "slot " + std::to_string(payload - 1) + ", one";
  return "\n   it comes of " + slot + " that is not this sequence's" +
         (payload == 0 ? ", or of 0 divided by 0" : "") + "\n   " + kI11;
}

}  // namespace kv::grader
