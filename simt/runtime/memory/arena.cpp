#include "simt/runtime/memory/arena.h"

#include <algorithm>
#include <cstring>

#include "simt/runtime/core/map_memory.h"
#include "simt/runtime/memory/access.h"
#include "simt/runtime/memory/padding.h"

namespace kv::simt {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{64} << 30;
// Bytes of address space for each byte: itself, and what is kept about it, see Stamp.
constexpr std::size_t kRoom = 10;
constexpr std::size_t kMaxFilledBytes = std::size_t{256} << 20;

std::size_t pages_for(std::size_t bytes) {
  return bytes / kPageBytes + 2;
}

}  // namespace

__attribute__((init_priority(102))) Arena arena;

Arena::Arena() {
  for (bytes_ = kArenaBytes; bytes_ > kPageBytes && !can_map(kRoom * bytes_);) bytes_ /= 2;
  base_ = reinterpret_cast<std::uintptr_t>(map_memory(bytes_));
  pages_ = reinterpret_cast<Page*>(map_memory(bytes_ / kPageBytes * sizeof(Page)));
  initialized_ = reinterpret_cast<unsigned char*>(map_memory(bytes_ / 8 + sizeof(unsigned)));
}

void* Arena::allocate(std::size_t bytes, bool is_managed, Site site) {
  const std::size_t num_pages = pages_for(bytes);
  if (num_pages > (bytes_ - end_) / kPageBytes) return nullptr;
  const std::size_t offset = end_;
  end_ += num_pages * kPageBytes;
  const bool is_filled = bytes <= kMaxFilledBytes;
  allocations_.push_back({offset, bytes, site, nullptr, is_managed, is_filled});
  const auto number = static_cast<std::uint32_t>(allocations_.size());
  for (std::size_t i = 0; i + 1 < num_pages; ++i) page(offset + i * kPageBytes) = {number, 0, 0, 0};
  void* const memory = reinterpret_cast<void*>(base_ + offset);
  if (is_filled) fill(memory, bytes);
  return memory;
}

// Why the address is not reused: a later access to it has to be found.
void Arena::free(Allocation& allocation, Site site) {
  allocation.freed_at = site;
  for (std::size_t i = 0; i < pages_for(allocation.bytes); ++i)
    page(allocation.offset + i * kPageBytes).num_ready = 0;
  forget(reinterpret_cast<void*>(base_ + allocation.offset),
         (pages_for(allocation.bytes) - 1) * kPageBytes);
}

const Allocation* Arena::closest(std::uintptr_t address) const {
  const auto distance = [&](const Allocation& allocation) {
    const std::uintptr_t first = base_ + allocation.offset;
    if (address < first) return first - address;
    return address - std::min(address, first + allocation.bytes);
  };
  if (allocations_.empty()) return nullptr;
  const auto closest = std::min_element(
      allocations_.begin(), allocations_.end(),
      [&](const Allocation& a, const Allocation& b) { return distance(a) < distance(b); });
  if (distance(*closest) == 0) return &*closest;
  const auto meant = std::ranges::find_if(allocations_, [&](const Allocation& allocation) {
    return is_at_pattern(base_ + allocation.offset, address);
  });
  return meant == allocations_.end() ? &*closest : &*meant;
}

void Arena::find_ready_bytes(std::size_t offset) {
  const std::size_t first = offset / kPageBytes * kPageBytes;
  const Allocation& allocation = *owner(offset);
  const std::size_t end = std::min(first + kPageBytes, allocation.offset + allocation.bytes);
  unsigned char* const begin = initialized_ + first / 8;
  const auto* const after =
      std::find_if(begin, initialized_ + end / 8, [](unsigned char bits) { return bits != 0xff; });
  page(offset).num_ready = static_cast<std::uint32_t>(8 * (after - begin));
}

void Arena::set_initialized(std::size_t offset, std::size_t num_bytes) {
  if (num_bytes <= 16) {
    unsigned bits;
    std::memcpy(&bits, initialized_ + offset / 8, sizeof bits);
    bits |= ((1u << num_bytes) - 1) << offset % 8;
    std::memcpy(initialized_ + offset / 8, &bits, sizeof bits);
    return;
  }
  const std::size_t end = offset + num_bytes;
  for (; offset < end && offset % 8 != 0; ++offset) {
    initialized_[offset / 8] |= static_cast<unsigned char>(1u << offset % 8);
  }
  const std::size_t whole = (end - std::min(offset, end)) / 8;
  std::memset(initialized_ + offset / 8, 0xff, whole);
  for (offset += whole * 8; offset < end; ++offset) {
    initialized_[offset / 8] |= static_cast<unsigned char>(1u << offset % 8);
  }
}

bool Arena::is_written(std::size_t offset) const {
  if (is_initialized(offset, 1)) return true;
  const std::uint32_t number = page(offset).allocation;
  const bool is_filled = number == 0 || allocations_[number - 1].is_filled;
  return is_word_changed(base_ + offset, is_filled,
                         [this](std::uintptr_t at) { return is_initialized(at - base_, 1); });
}

void Arena::find_unseen_writes(std::size_t offset, std::size_t num_bytes) {
  for (std::size_t at = offset; at < offset + num_bytes; ++at) {
    if (is_written(at)) set_initialized(at, 1);
  }
}

std::size_t Arena::first_uninitialized(std::size_t offset, std::size_t num_bytes) const {
  for (std::size_t i = 0; i < num_bytes; ++i) {
    if (!is_initialized(offset + i, 1)) return i;
  }
  return num_bytes;
}

void Arena::copy_initialized(std::size_t to, std::size_t from, std::size_t num_bytes) {
  for (std::size_t i = 0; i < num_bytes; ++i) {
    if (is_initialized(from + i, 1)) set_initialized(to + i, 1);
  }
}

}  // namespace kv::simt
