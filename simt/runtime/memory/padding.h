#pragma once
// The bytes between the members of a struct are written by nobody, and copied with the struct. To
// tell them from data that is missing, there are only addresses: padding is shorter than the
// alignment it serves, comes after written bytes, and every element of an array has it.

#include <cstddef>
#include <functional>

namespace kv::simt {

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
