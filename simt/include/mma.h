#pragma once
// nvcuda::wmma: matrix fragments that the lanes of a warp share, for the shapes and types of sm_80
// except those of less than a byte.

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/tiles.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

namespace details {

template <typename T>
using Storage = std::conditional_t<std::is_same_v<T, precision::tf32>, float, T>;

template <typename Use>
constexpr bool is_accumulator = std::is_same_v<Use, accumulator>;

template <typename T, typename... Types>
constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

template <typename Use, typename T>
constexpr bool is_supported(int m, int n, int k) {
  const bool is_large =
      k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  const bool is_tf32 = m == 16 && n == 16 && k == 8;
  if (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  if (!is_accumulator<Use>) {
    if (std::is_same_v<T, precision::tf32>) return is_tf32;
    return is_large && is_one_of<T, __half, __nv_bfloat16, signed char, unsigned char>;
  }
  if (std::is_same_v<T, float>) return is_large || is_tf32;
  return is_large && is_one_of<T, __half, int>;
}

template <typename Use, typename T>
constexpr kv::simt::Tile tile_of(int m, int n, int k) {
  if (is_accumulator<Use>) return {m, n, 2};
  return {std::is_same_v<Use, matrix_a> ? m : n, k, std::max(1, 4 / int(sizeof(Storage<T>)))};
}

constexpr unsigned char kUnset = 0xd3;  // each byte of a fragment without values

}  // namespace details

template <typename Use, int m, int n, int k, typename T, typename Layout = void>
class fragment {
  static_assert(details::is_supported<Use, T>(m, n, k),
                "nvcuda::wmma has no fragment of this shape and type");
  static_assert(details::is_accumulator<Use> || !std::is_void_v<Layout>,
                "matrix_a and matrix_b need row_major or col_major");

 public:
  using element_type = T;
  using storage_element_type = details::Storage<T>;
  static constexpr kv::simt::Tile kTile = details::tile_of<Use, T>(m, n, k);
  // Halves of A and B are there more than once, as in NVIDIA's header.
  enum {
    num_elements =
        std::is_same_v<T, __half> && !details::is_accumulator<Use> ? 16 : kTile.elements_of_lane(),
    num_storage_elements = num_elements,
  };
  storage_element_type x[num_elements];

  KV_SIMT_INLINE fragment() { __builtin_memset(static_cast<void*>(x), details::kUnset, sizeof x); }
};

namespace details {

template <typename Use, typename Layout>
constexpr bool has_whole_lines = std::is_same_v<Use, matrix_a> == std::is_same_v<Layout, row_major>;

template <typename Fragment>
KV_SIMT_INLINE bool require_values(const Fragment& f, const char* what) {
  // Why: a picture can have one gray everywhere, and these bytes are a gray.
  if (sizeof(typename Fragment::storage_element_type) == 1) return true;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(f.x);
  unsigned i = 0;
  while (i < sizeof f.x && bytes[i] == kUnset) ++i;
  if (i < sizeof f.x) return true;
  kv::simt::report_unset_fragment(what);
  return false;
}

template <typename Fragment>
KV_SIMT_INLINE kv::simt::TileInMemory in_memory(const char* call,
                                                const void* first,
                                                unsigned leading_dimension,
                                                bool is_whole) {
  constexpr unsigned kBytes = sizeof(typename Fragment::storage_element_type);
  return {call,
          Fragment::kTile,
          first,
          leading_dimension,
          is_whole,
          kBytes,
          std::min(32u, unsigned(Fragment::num_elements) * kBytes)};
}

template <typename Fragment>
KV_SIMT_INLINE void load(Fragment& f, const void* from, unsigned ldm, bool is_whole) {
  kv::simt::load_tile(in_memory<Fragment>("load_matrix_sync", from, ldm, is_whole), f.x);
  constexpr int kOnce = Fragment::kTile.elements_of_lane();
  for (int i = kOnce; i < Fragment::num_elements; ++i) f.x[i] = f.x[i % kOnce];
}

template <typename T>
KV_SIMT_INLINE double to_double(Storage<T> value) {
  if constexpr (std::is_same_v<T, precision::tf32>) {
    // A tensor core does not read the last 13 bits.
    return std::bit_cast<float>(std::bit_cast<unsigned>(value) & ~0x1fffu);
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

template <typename T>
KV_SIMT_INLINE T from_double(double value, bool is_saturated) {
  if constexpr (std::is_same_v<T, int>) {
    constexpr double kLeast = std::numeric_limits<int>::min();
    constexpr double kMost = std::numeric_limits<int>::max();
    if (is_saturated) return static_cast<int>(std::clamp(value, kLeast, kMost));
    return static_cast<int>(static_cast<long long>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
KV_SIMT_INLINE void to_doubles(const fragment<Use, m, n, k, T, Layout>& f,
                               const char* what,
                               double* share) {
  const bool has_values = require_values(f, what);
  for (int i = 0; i < f.kTile.elements_of_lane(); ++i) {
    share[i] = has_values ? to_double<T>(f.x[i]) : 0;
  }
}

}  // namespace details

template <typename Use, int m, int n, int k, typename T, typename Layout, typename Value>
KV_SIMT_INLINE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (auto& x : f.x) x = static_cast<details::Storage<T>>(value);
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
requires(!details::is_accumulator<Use>) KV_SIMT_INLINE
    void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                          const std::type_identity_t<details::Storage<T>>* from,
                          unsigned ldm) {
  details::load(f, from, ldm, details::has_whole_lines<Use, Layout>);
}

template <int m, int n, int k, typename T>
KV_SIMT_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f,
                                     const std::type_identity_t<T>* from,
                                     unsigned ldm,
                                     layout_t layout) {
  details::load(f, from, ldm, layout == mem_row_major);
}

template <int m, int n, int k, typename T>
KV_SIMT_INLINE void store_matrix_sync(std::type_identity_t<T>* to,
                                      const fragment<accumulator, m, n, k, T>& f,
                                      unsigned ldm,
                                      layout_t layout) {
  details::require_values(f, "the accumulator that is stored");
  kv::simt::store_tile(details::in_memory<fragment<accumulator, m, n, k, T>>(
                           "store_matrix_sync", to, ldm, layout == mem_row_major),
                       f.x);
}

template <int m,
          int n,
          int k,
          typename D,
          typename T,
          typename LayoutA,
          typename LayoutB,
          typename C>
KV_SIMT_INLINE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                             const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                             const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                             const fragment<accumulator, m, n, k, C>& c,
                             bool satf = false) {
  double a_share[16], b_share[16], c_share[8];
  details::to_doubles(a, "matrix_a", a_share);
  details::to_doubles(b, "matrix_b", b_share);
  details::to_doubles(c, "the accumulator that is added to", c_share);
  kv::simt::multiply_tiles({a.kTile, b.kTile, c.kTile, a_share, b_share, c_share});
  for (int i = 0; i < c.num_elements; ++i) d.x[i] = details::from_double<D>(c_share[i], satf);
}

// To the nearest value with 10 bits after the point; half way: to the larger magnitude.
KV_SIMT_INLINE float __float_to_tf32(float value) {
  const unsigned bits = std::bit_cast<unsigned>(value);
  const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
  return is_finite ? std::bit_cast<float>((bits + 0x1000u) & ~0x1fffu) : value;
}

}  // namespace nvcuda::wmma
