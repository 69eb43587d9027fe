#include "simt/runtime/memory/padding.h"

#include <algorithm>

namespace kv::simt {
namespace {

constexpr std::size_t kMaxStruct = 512;  // bytes
constexpr std::size_t kNeighbors = 8;    // on each side

bool is_all_written(Span span, const IsWritten& is_written) {
  while (span.first < span.end && is_written(span.first)) ++span.first;
  return span.first == span.end;
}

// A member of this alignment, written as a whole: without one nothing needs the padding.
bool has_member_of(std::size_t alignment, Span element, const IsWritten& is_written) {
  std::size_t at = (element.first + alignment - 1) / alignment * alignment;
  for (; at + alignment <= element.end; at += alignment) {
    if (is_all_written({at, at + alignment}, is_written)) return true;
  }
  return false;
}

bool is_shaped_as_padding(Span gap, Span element, const IsWritten& is_written) {
  std::size_t alignment = 2;
  while (alignment <= gap.end - gap.first) alignment *= 2;
  return gap.first > element.first && alignment <= 16 && gap.end % alignment == 0 &&
         has_member_of(alignment, element, is_written);
}

// Whether each gap of this element has the shape of padding.
bool has_shape(Span element, const IsWritten& is_written) {
  for (std::size_t at = element.first; at < element.end; ++at) {
    if (is_written(at)) continue;
    Span gap{at, at};
    while (gap.end < element.end && !is_written(gap.end)) ++gap.end;
    if (!is_shaped_as_padding(gap, element, is_written)) return false;
    at = gap.end;
  }
  return true;
}

// Whether another element has written what this one has not.
bool differs(Span element, std::size_t other, const IsWritten& is_written) {
  for (std::size_t i = 0; element.first + i < element.end; ++i) {
    if (!is_written(element.first + i) && is_written(other + i)) return true;
  }
  return false;
}

}  // namespace

bool is_only_padding(Span element, Span allocation, const IsWritten& is_written) {
  const std::size_t bytes = element.end - element.first;
  if (is_all_written(element, is_written)) return true;
  if (bytes > kMaxStruct || !has_shape(element, is_written)) return false;
  for (std::size_t i = 1; i <= kNeighbors; ++i) {
    const bool has_before = element.first >= allocation.first + i * bytes;
    if (has_before && differs(element, element.first - i * bytes, is_written)) return false;
    const bool has_after = element.end + i * bytes <= allocation.end;
    if (has_after && differs(element, element.first + i * bytes, is_written)) return false;
  }
  return true;
}

bool is_only_padding_of_elements(Span copied, const IsWritten& is_written) {
  const std::size_t bytes = copied.end - copied.first;
  for (std::size_t size = 4; size <= std::min(bytes, kMaxStruct); size += 2) {
    if (bytes % size != 0) continue;
    const Span element{copied.first, copied.first + size};
    if (!has_shape(element, is_written)) continue;
    const auto as_first = [&](std::size_t at) {
      return is_written(at) == is_written(copied.first + (at - copied.first) % size);
    };
    if (is_all_written(copied, as_first)) return true;
  }
  return false;
}

}  // namespace kv::simt
