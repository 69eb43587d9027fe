#pragma once
// What ldmatrix and mma are rewritten to. A matrix is in registers as the manual of PTX draws it.

#include "mma.h"
#include "simt/ptx.h"

namespace kv::simt::ptx {

namespace fragments = nvcuda::wmma::details;
using nvcuda::wmma::precision::tf32;

// How many elements a register holds, the first one in its low bits.
template <typename T>
constexpr std::size_t kElements = sizeof(fragments::Storage<T>) < 4 ? 4 / sizeof(T) : 1;
template <typename T>
constexpr unsigned kElementBits = 8 * sizeof(fragments::Storage<T>);

template <typename T, std::size_t num_registers>
KV_SIMT_INLINE void to_doubles(const std::uint64_t (&registers)[num_registers], double* share) {
  for (std::size_t i = 0; i < num_registers * kElements<T>; ++i) {
    const std::uint64_t element = registers[i / kElements<T>] >> i % kElements<T> * kElementBits<T>;
    share[i] = fragments::to_double<T>(as<fragments::Storage<T>>(element));
  }
}

template <typename T, std::size_t num_registers>
KV_SIMT_INLINE void from_doubles(const double* share,
                                 bool is_saturated,
                                 std::uint64_t* const (&registers)[num_registers]) {
  for (std::size_t i = 0; i < num_registers * kElements<T>; ++i) {
    std::uint64_t& whole = *registers[i / kElements<T>];
    const std::size_t place = i % kElements<T>;
    const std::uint64_t element = bits(fragments::from_double<T>(share[i], is_saturated));
    whole = (place == 0 ? 0 : whole) | element << place * kElementBits<T>;
  }
}

template <int m, int n, int k, typename D, typename A, typename B, typename C>
struct Mma {
  static constexpr Tile kA = fragments::tile_of<nvcuda::wmma::matrix_a, A>(m, n, k);
  static constexpr Tile kB = fragments::tile_of<nvcuda::wmma::matrix_b, B>(m, n, k);
  static constexpr Tile kC = fragments::tile_of<nvcuda::wmma::accumulator, C>(m, n, k);

  template <std::size_t num_d, std::size_t num_a, std::size_t num_b, std::size_t num_c>
  KV_SIMT_INLINE static void run(std::uint64_t* const (&d)[num_d],
                                 const std::uint64_t (&a)[num_a],
                                 const std::uint64_t (&b)[num_b],
                                 const std::uint64_t (&c)[num_c],
                                 bool is_saturated) {
    static_assert(num_a * kElements<A> == kA.elements_of_lane() &&
                      num_b * kElements<B> == kB.elements_of_lane() &&
                      num_c * kElements<C> == kC.elements_of_lane() &&
                      num_d * kElements<D> == kC.elements_of_lane(),
                  "this mma takes another number of registers");
    double a_share[kA.elements_of_lane()], b_share[kB.elements_of_lane()];
    double c_share[kC.elements_of_lane()];
    to_doubles<A>(a, a_share);
    to_doubles<B>(b, b_share);
    to_doubles<C>(c, c_share);
    multiply_tiles({kA, kB, kC, a_share, b_share, c_share});
    from_doubles<D>(c_share, is_saturated, d);
  }
};

template <bool is_transposed, std::size_t num_matrices>
KV_SIMT_INLINE void load_matrices(std::uint64_t row, std::uint64_t* const (&to)[num_matrices]) {
  std::uint32_t words[num_matrices];
  kv::simt::load_matrices(reinterpret_cast<const void*>(row), num_matrices, is_transposed, words);
  for (std::size_t i = 0; i < num_matrices; ++i) *to[i] = words[i];
}

}  // namespace kv::simt::ptx
