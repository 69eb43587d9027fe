#pragma once
// Device memory, which cudaMalloc allocates. Each allocation begins on a page of its own, and the
// page after it stays unused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simt/runtime/core/findings.h"

namespace kv::simt {

inline constexpr std::size_t kPageBytes = 4096;

struct Allocation {
  std::size_t offset, bytes;
  Site allocated_at;
  Site freed_at;             // nullptr: not freed
  bool is_managed;           // the host may use it, too
  bool is_filled = true;     // with the pattern of padding.h; else zeros
  bool is_pinned = false;    // it is the host's, and kernels may use it
  bool was_written = false;  // by a kernel, since begin_global_races
  std::string name = {};     // empty: it has none
  std::function<std::string(std::size_t byte)> place = nullptr;  // see name_memory

  bool contains(std::size_t first, std::size_t num_bytes) const {
    return first >= offset && first + num_bytes <= offset + bytes;
  }
};

struct Page {
  std::uint32_t allocation;  // counted from 1; 0: none
  std::uint32_t touched_in;  // the last launch that read or wrote here
  std::uint32_t written_in;  // the last launch that wrote here
  std::uint32_t num_ready;   // bytes from its first on that are allocated and initialized
};

class Arena {
 public:
  Arena();

  bool contains(std::uintptr_t address) const { return address - base_ < bytes_; }
  std::size_t offset(std::uintptr_t address) const { return address - base_; }
  std::uintptr_t address(std::size_t offset) const { return base_ + offset; }
  std::size_t bytes() const { return bytes_; }
  // What a program is told. Why less than there is: some take all that is free, and fill it.
  std::size_t bytes_told() const { return std::min(bytes_, std::size_t{4} << 30); }
  std::size_t bytes_free_told() const { return bytes_told() - std::min(bytes_told(), end_); }

  void* allocate(std::size_t bytes, bool is_managed, Site site);  // nullptr: no room
  void free(Allocation& allocation, Site site);
  std::vector<Allocation>& allocations() { return allocations_; }

  Page& page(std::size_t offset) const { return pages_[offset / kPageBytes]; }
  // The allocation that owns this page; nullptr: none.
  Allocation* owner(std::size_t offset) {
    const std::uint32_t number = page(offset).allocation;
    return number == 0 ? nullptr : &allocations_[number - 1];
  }
  // Nothing can be wrong with this read: the bytes are there, and no thread of the launch that
  // touched the page last has written to it.
  bool is_ready(std::size_t offset, unsigned num_bytes, std::uint32_t launch) const {
    const Page& its_page = page(offset);
    return offset % kPageBytes + num_bytes <= its_page.num_ready &&
           (offset & (num_bytes - 1)) == 0 && its_page.touched_in == launch &&
           its_page.written_in != launch;
  }
  void find_ready_bytes(std::size_t offset);  // the num_ready of its page

  // The allocation that has this address; that an index which nothing has written leads away from;
  // or that begins or ends nearest. nullptr: there is none.
  const Allocation* closest(std::uintptr_t address) const;

  // One bit for each byte, set when it was written.
  bool is_initialized(std::size_t offset, unsigned num_bytes) const {
    const unsigned wanted = (1u << num_bytes) - 1;
    return (bits_at(offset) & wanted) == wanted;
  }
  void set_initialized(std::size_t offset, std::size_t num_bytes);
  // The same, and bytes that were written without a trace call, see padding.h.
  bool is_written(std::size_t offset) const;
  void find_unseen_writes(std::size_t offset, std::size_t num_bytes);
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
  std::size_t end_ = kPageBytes;  // offset at which all allocations end
  Page* pages_ = nullptr;
  unsigned char* initialized_ = nullptr;
  std::vector<Allocation> allocations_;
};

extern Arena arena;

}  // namespace kv::simt
