#pragma once
// What memory holds that nothing has written: a pattern, and the padding of structs.
//
// The pattern is 0xfff5 in each two bytes. That is not a number as double, float, half and
// bfloat16, and no integer that programs use. So a byte that differs was written, even if no trace
// call said so: a library function made the store, or g++, which traces no store of a struct that a
// function returns. A large allocation is zeros instead: then it costs memory only where it is
// used.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

namespace kv::simt {

inline std::byte fill_at(std::uintptr_t address) {
  return static_cast<std::byte>(address % 2 == 0 ? 0xf5 : 0xff);
}

// `memory` is at an even address.
inline void fill(void* memory, std::size_t bytes) {
  constexpr std::uint64_t kPattern = 0xfff5fff5fff5fff5;
  auto* at = static_cast<std::byte*>(memory);
  for (; bytes >= sizeof kPattern; bytes -= sizeof kPattern, at += sizeof kPattern) {
    std::memcpy(at, &kPattern, sizeof kPattern);
  }
  std::memcpy(at, &kPattern, bytes);
}

// What a report adds to a number of this size that is the pattern; empty for any other.
inline const char* about_pattern(std::int64_t number) {
  const auto word = static_cast<std::uint32_t>(number);
  const bool is_pattern = word == 0xfff5fff5 || number == 0xfff5;
  return is_pattern ? ", which is the pattern of memory that nothing has written" : "";
}

// Whether a byte of the aligned word of 4 bytes around `address` was written without a trace call.
// Why a word: one byte of what was written may equal the pattern.
// is_recorded(address): a trace call said that this byte was written.
template <typename IsRecorded>
bool is_word_changed(std::uintptr_t address, bool is_filled, IsRecorded is_recorded) {
  const std::uintptr_t first = address & ~std::uintptr_t{3};
  for (std::uintptr_t at = first; at < first + 4; ++at) {
    if (is_recorded(at)) continue;
    const std::byte untouched = is_filled ? fill_at(at) : std::byte{0};
    if (*reinterpret_cast<const std::byte*>(at) != untouched) return true;
  }
  return false;
}

// The bytes between the members of a struct are written by nobody, and copied with the struct. To
// tell them from data that is missing, there are only addresses: padding is shorter than the
// alignment it serves, comes after written bytes, and every element of an array has it.

// Offsets in an allocation.
struct Span {
  std::size_t first, end;
};
using IsWritten = std::function<bool(std::size_t)>;

// Whether what is not written of a struct, copied as a whole, is its padding.
bool is_only_padding(Span element, Span allocation, const IsWritten& is_written);

// The same for a copy of any number of structs, whose size is not known.
bool is_only_padding_of_elements(Span copied, const IsWritten& is_written);

}  // namespace kv::simt
