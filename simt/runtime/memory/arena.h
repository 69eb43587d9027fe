#pragma once
// Device memory: what cudaMalloc gives out. Each allocation begins on a page of its own, and a page
// that belongs to nobody lies behind it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/runtime/report/findings.h"

namespace kv::simt {

inline constexpr std::size_t kPageBytes = 4096;

struct Allocation {
  std::size_t offset, bytes;
  Site allocated_at;
  Site freed_at;  // nullptr: it lives
  bool is_managed;

  bool contains(std::size_t first, std::size_t num_bytes) const {
    return first >= offset && first + num_bytes <= offset + bytes;
  }
};

struct Page {
  std::uint32_t allocation;  // counted from 1; 0: nobody's
  std::uint32_t written_in;  // the last launch that wrote here
};

class Arena {
 public:
  Arena();

  bool contains(std::uintptr_t address) const { return address - base_ < bytes_; }
  std::size_t offset(std::uintptr_t address) const { return address - base_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_free() const { return bytes_ - end_; }

  void* allocate(std::size_t bytes, bool is_managed, Site site);  // nullptr: full
  void free(Allocation& allocation, Site site);
  std::vector<Allocation>& allocations() { return allocations_; }

  Page& page(std::size_t offset) { return pages_[offset / kPageBytes]; }
  // Of this page; nullptr: nobody's.
  Allocation* owner(std::size_t offset) {
    const std::uint32_t number = page(offset).allocation;
    return number == 0 ? nullptr : &allocations_[number - 1];
  }
  // The allocation that holds these bytes or begins last before them; nullptr: none.
  Allocation* nearest(std::size_t offset);

  // One bit for each byte: it has been written.
  bool is_initialized(std::size_t offset, unsigned num_bytes) const {
    const unsigned wanted = (1u << num_bytes) - 1;
    return (bits_at(offset) & wanted) == wanted;
  }
  void set_initialized(std::size_t offset, std::size_t num_bytes);
  std::size_t first_uninitialized(std::size_t offset, std::size_t num_bytes) const;
  void copy_initialized(std::size_t to, std::size_t from, std::size_t num_bytes);

 private:
  // At least 17 bits, beginning with that of this byte.
  unsigned bits_at(std::size_t offset) const {
    unsigned bits;
    __builtin_memcpy(&bits, initialized_ + offset / 8, sizeof bits);
    return bits >> offset % 8;
  }

  std::size_t bytes_ = 0;
  std::uintptr_t base_ = 0;
  std::size_t end_ = kPageBytes;  // of what has been given out
  Page* pages_ = nullptr;
  unsigned char* initialized_ = nullptr;
  std::vector<Allocation> allocations_;
};

extern Arena arena;

}  // namespace kv::simt
