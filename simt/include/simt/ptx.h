#pragma once
// What inline PTX is rewritten to: functions on registers of 64 bits.

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "simt/address_spaces.h"
#include "simt/async_copy.h"
#include "simt/builtins.h"
#include "simt/device_bits.h"
#include "simt/device_math.h"
#include "simt/vector_types.h"

namespace kv::simt::ptx {

template <typename T>
KV_SIMT_INLINE T as(std::uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <typename T>
KV_SIMT_INLINE std::uint64_t bits(const T& value) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

// An operand that is read; read and written; or written, and then it may have been uninitialized.
template <typename T>
struct In {
  T value;
  KV_SIMT_INLINE void read(std::uint64_t& to) const { to = bits(value); }
  KV_SIMT_INLINE void write(std::uint64_t) const {}
};
template <typename T>
struct InOut {
  T& value;
  KV_SIMT_INLINE void read(std::uint64_t& to) const { to = bits(value); }
  KV_SIMT_INLINE void write(std::uint64_t from) const { value = as<T>(from); }
};
template <typename T>
struct Out {
  T& value;
  KV_SIMT_INLINE void read(std::uint64_t&) const {}
  KV_SIMT_INLINE void write(std::uint64_t from) const { value = as<T>(from); }
};
template <typename T>
KV_SIMT_INLINE In<T> in(T value) {
  return {value};
}
template <typename T>
KV_SIMT_INLINE InOut<T> inout(T& value) {
  return {value};
}
template <typename T>
KV_SIMT_INLINE Out<T> out(T& value) {
  return {value};
}

// Why 46: 30 operands, as many as a compiler takes, and registers that the text declares.
template <typename Code, typename... Operands>
KV_SIMT_INLINE void run(Code code, Operands... operands) {
  std::uint64_t registers[46];
  std::size_t i = 0;
  (operands.read(registers[i++]), ...);
  code(registers);
  i = 0;
  (operands.write(registers[i++]), ...);
}

template <typename T>
constexpr bool kIsNarrow = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
template <typename T>
constexpr bool kIsPair = std::is_same_v<T, __half2> || std::is_same_v<T, __nv_bfloat162>;

template <typename T>
KV_SIMT_INLINE T fma(T a, T b, T c) {
  if constexpr (kIsPair<T>)
    return __hfma2(a, b, c);
  else if constexpr (kIsNarrow<T>)
    return __hfma(a, b, c);
  else
    return std::fma(a, b, c);
}
template <typename T>
KV_SIMT_INLINE T min(T a, T b) {
  if constexpr (kIsNarrow<T>)
    return __hmin(a, b);
  else
    return ::min(a, b);
}
template <typename T>
KV_SIMT_INLINE T max(T a, T b) {
  if constexpr (kIsNarrow<T>)
    return __hmax(a, b);
  else
    return ::max(a, b);
}
template <typename T>
KV_SIMT_INLINE std::make_unsigned_t<T> wrapping(T a) {
  return static_cast<std::make_unsigned_t<T>>(a);
}

// Why the condition: C++ leaves a shift by all bits undefined.
template <typename T>
KV_SIMT_INLINE T shift_left(T a, T num_bits) {
  return num_bits < 8 * sizeof(T) ? static_cast<T>(a << num_bits) : 0;
}
template <typename T>
KV_SIMT_INLINE T shift_right(T a, T num_bits) {
  return num_bits < 8 * sizeof(T) ? static_cast<T>(a >> num_bits) : 0;
}

// Row 4x + 2y + z of the table is the result for the bits x, y and z.
KV_SIMT_INLINE unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned result = 0;
  for (unsigned row = 0; row < 8; ++row) {
    if ((table >> row) % 2 == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

// {%1, %2} to %0: the first one gets the low bits.
template <typename T, typename... Parts>
KV_SIMT_INLINE void pack(std::uint64_t& whole, Parts... parts) {
  constexpr unsigned kBits = 8 * sizeof(T) / sizeof...(Parts);
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  unsigned shift = 0;
  std::uint64_t packed = 0;
  ((packed |= (parts & kMask) << shift, shift += kBits), ...);
  whole = packed;
}
template <typename T, typename... Parts>
KV_SIMT_INLINE void unpack(std::uint64_t whole, Parts&... parts) {
  constexpr unsigned kBits = 8 * sizeof(T) / sizeof...(Parts);
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  unsigned shift = 0;
  ((parts = (whole >> shift) & kMask, shift += kBits), ...);
}

// One access, of one, two or four values.
template <typename T, typename... Values>
KV_SIMT_INLINE void load(std::uint64_t address, Values&... to) {
  T values[sizeof...(Values)];
  copy_in_one_piece<sizeof(values)>(values, reinterpret_cast<const void*>(address));
  std::size_t i = 0;
  // Why long: a signed value that is loaded into a wider register keeps its sign.
  ((to = std::is_signed_v<T> && std::is_integral_v<T>
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i++]))
             : bits(values[i++])),
   ...);
}
template <typename T, typename... Values>
KV_SIMT_INLINE void store(std::uint64_t address, Values... from) {
  T values[sizeof...(Values)] = {as<T>(from)...};
  copy_in_one_piece<sizeof(values)>(reinterpret_cast<void*>(address), values);
}

KV_SIMT_INLINE std::uint64_t to_shared(std::uint64_t address) {
  return offset_in_shared(reinterpret_cast<const void*>(address));
}
KV_SIMT_INLINE std::uint64_t in_shared(std::uint64_t offset) {
  return reinterpret_cast<std::uint64_t>(pointer_to_shared(offset));
}

// Copies `num_read` of the bytes; the others become zero.
KV_SIMT_INLINE void copy_async(std::uint64_t to,
                               std::uint64_t from,
                               unsigned bytes,
                               unsigned num_read) {
  start_padded_copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes,
                    bytes - ::min(num_read, bytes));
}

KV_SIMT_INLINE unsigned rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
KV_SIMT_INLINE unsigned laneid() {
  return rank() % warpSize;
}
KV_SIMT_INLINE unsigned warpid() {
  return rank() / warpSize;
}
KV_SIMT_INLINE unsigned nwarpid() {
  return 64;  // that a multiprocessor has room for
}
// The device has one multiprocessor.
KV_SIMT_INLINE unsigned smid() {
  return 0;
}
KV_SIMT_INLINE unsigned nsmid() {
  return 1;
}
// They grow, but they are no times: each run has to be the same.
KV_SIMT_INLINE std::uint64_t globaltimer() {
  return static_cast<std::uint64_t>(::clock64());
}
KV_SIMT_INLINE std::uint64_t clock64() {
  return globaltimer();
}
KV_SIMT_INLINE unsigned clock() {
  return static_cast<unsigned>(globaltimer());
}
KV_SIMT_INLINE unsigned clock_hi() {
  return static_cast<unsigned>(globaltimer() >> 32);
}
KV_SIMT_INLINE unsigned globaltimer_lo() {
  return clock();
}
KV_SIMT_INLINE unsigned globaltimer_hi() {
  return clock_hi();
}
KV_SIMT_INLINE unsigned lanemask_eq() {
  return 1u << laneid();
}
KV_SIMT_INLINE unsigned lanemask_lt() {
  return lanemask_eq() - 1;
}
KV_SIMT_INLINE unsigned lanemask_le() {
  return lanemask_lt() | lanemask_eq();
}
KV_SIMT_INLINE unsigned lanemask_gt() {
  return ~lanemask_le();
}
KV_SIMT_INLINE unsigned lanemask_ge() {
  return ~lanemask_lt();
}

}  // namespace kv::simt::ptx

#include "simt/ptx_matrices.h"
