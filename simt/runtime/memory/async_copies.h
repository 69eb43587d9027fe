#pragma once
// Asynchronous copies to shared memory that nobody has waited for yet. The bytes are moved at the
// wait, so that a kernel without it computes with old ones, as it can on a GPU.

#include <array>
#include <map>

#include "simt/async_copy.h"
#include "simt/runtime/memory/access.h"

namespace kv::simt {

// A copy is added in pieces of at most this many bytes.
inline constexpr unsigned kMaxPieceBytes = 16;

struct AsyncCopy {
  std::byte* to;
  const std::byte* from;
  std::size_t bytes, num_zeros;
  Site site;
  unsigned thread, batch;
  const SplitBarrier* barrier;  // nullptr: it ends with its batch

  void finish() const;
};

class AsyncCopies {
 public:
  bool has_any() const { return block_ == machine.block_number && !copies_.empty(); }
  // The unfinished copy to these bytes; nullptr: none.
  const AsyncCopy* find(std::uintptr_t address, unsigned bytes) const;

  void add(AsyncCopy copy);  // gives it the open batch of the current thread
  void close_batch();        // ends the open batch of the current thread

  // Finishes the copies in all but the newest batches of the current thread, calling `finished` for
  // each.
  template <typename Finished>
  void finish_batches(std::size_t num_left, Finished finished) {
    const unsigned me = self().number;
    const std::size_t num_closed = block_ == machine.block_number ? num_closed_[me] : 0;
    finish_if(
        [&](const AsyncCopy& copy) {
          return copy.thread == me && copy.barrier == nullptr && copy.batch + num_left < num_closed;
        },
        finished);
  }
  void finish_copies_of(const SplitBarrier& barrier) {
    finish_if([&](const AsyncCopy& copy) { return copy.barrier == &barrier; },
              [](const AsyncCopy&) {});
  }

 private:
  void begin_block();  // if the block is another one

  template <typename Predicate, typename Finished>
  void finish_if(Predicate is_due, Finished finished) {
    if (!has_any()) return;
    for (auto entry = copies_.begin(); entry != copies_.end();) {
      const AsyncCopy copy = entry->second;
      if (!is_due(copy)) {
        ++entry;
        continue;
      }
      copy.finish();
      entry = copies_.erase(entry);
      finished(copy);
    }
  }

  std::uint32_t block_ = 0;
  std::multimap<std::uintptr_t, AsyncCopy> copies_;    // by the address to which they write
  std::array<unsigned, kMaxThreads> num_closed_ = {};  // batches of each thread
};

extern AsyncCopies async_copies;

// Reports an access to bytes of an unfinished copy. Returns whether it was one.
bool is_unfinished(const MemoryAccess& access);

}  // namespace kv::simt
