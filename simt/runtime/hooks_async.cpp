// Asynchronous copies and cuda::barrier: what simt/async_copy.h declares.

#include <algorithm>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/happens_before.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/hooks.h"
#include "simt/runtime/memory/async_copies.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {
namespace {

constexpr int kMaxPolls = 20000;

// Checks a piece as an access to both sides at the start of the copy: then it may take place.
void start_piece(AsyncCopy copy) {
  const auto bytes = static_cast<unsigned>(copy.bytes);
  const auto num_read = static_cast<unsigned>(copy.bytes - copy.num_zeros);
  // Why another address of the same call: the profile counts by places.
  const Site read_site = static_cast<const std::byte*>(copy.site) - 1;
  if (num_read == bytes) access(copy.from, bytes, Access::kRead, read_site);
  if (num_read < bytes) access_range(copy.from, num_read, Access::kRead, read_site);
  access(copy.to, bytes, Access::kWrite, copy.site);
  const PauseChecks pause;
  if (shared_memory.contains(reinterpret_cast<std::uintptr_t>(copy.to))) {
    async_copies.add(copy);
  } else {
    copy.finish();  // only copies to shared memory are asynchronous
  }
}

unsigned piece_at(const std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto both = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  unsigned piece = kMaxPieceBytes;
  while (piece > bytes || both % piece != 0) piece /= 2;
  return piece;
}

// Pieces are as wide as the addresses allow; every `num_threads`-th of them is this thread's.
void start_pieces(AsyncCopy whole, std::size_t rank, std::size_t num_threads) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < whole.bytes; ++number) {
    AsyncCopy piece = whole;
    piece.to += at;
    piece.from += at;
    piece.bytes = piece_at(piece.to, piece.from, whole.bytes - at);
    at += piece.bytes;
    if (number % num_threads == rank) start_piece(piece);
  }
}

AsyncCopy new_copy(void* to, const void* from, std::size_t bytes, Site site) {
  return {static_cast<std::byte*>(to),
          static_cast<const std::byte*>(from),
          bytes,
          0,
          site,
          0,
          0,
          nullptr};
}

// Such a barrier is as good as __syncthreads(): each thread arrives for itself. Why not only those
// that have not returned: nothing orders what the others did.
bool is_of_whole_block(const SplitBarrier& barrier) {
  return barrier.num_expected >= machine.num_threads && !barrier.has_counts;
}

// An arrival releases what came before it, and a wait acquires it. Why the block: the barriers of
// all blocks have one address, less than a MiB from any other. Why always in the first phase: a
// thread that arrives for several may come last.
void order_by_barrier(const SplitBarrier& barrier) {
  if (is_of_whole_block(barrier) && barrier.phase > 0) return;
  const auto address = reinterpret_cast<std::uintptr_t>(&barrier);
  const std::uintptr_t key = ~(address + (std::uintptr_t{machine.block_number} << 20));
  acquire_at(key);
  release_at(key);
}

MemoryAccess access_of(const SplitBarrier& barrier, Access kind, Site site) {
  MemoryAccess access{reinterpret_cast<std::uintptr_t>(&barrier), sizeof barrier.phase, kind, site,
                      sites.number_of(site)};
  access.is_of_barrier = true;
  return access;
}

// A barrier is memory: one thread initializes it, and the others come after that.
void check_is_set_up(const SplitBarrier& barrier, Site site) {
  const MemoryAccess access = access_of(barrier, Access::kRead, site);
  if (!shared_memory.contains(access.address)) return;
  if (shared_memory.is_written(access.address)) return access_shared(access);
  fail(cudaErrorLaunchFailure,
       finding_of(Kind::kUninitialized, access, "shared",
                  " of a cuda::barrier that no thread has initialized yet: init(), and then "
                  "__syncthreads(), come first"));
}

}  // namespace

void start_padded_copy(void* to, const void* from, std::size_t bytes, std::size_t num_zeros) {
  AsyncCopy copy = new_copy(to, from, bytes, __builtin_return_address(0));
  copy.num_zeros = std::min(num_zeros, bytes);
  if (bytes == 4 || bytes == 8 || bytes == 16) return start_piece(copy);
  const PauseChecks pause;
  fail(cudaErrorLaunchFailure,
       {.kind = Kind::kMisaligned,
        .site = copy.site,
        .what = "an asynchronous copy is of 4, 8 or 16 bytes, not of " + std::to_string(bytes)});
}

void start_copy(void* to, const void* from, std::size_t bytes, const SplitBarrier* barrier) {
  AsyncCopy copy = new_copy(to, from, bytes, __builtin_return_address(0));
  copy.barrier = barrier;
  start_pieces(copy, 0, 1);
}

void start_copy_of_group(void* to,
                         const void* from,
                         std::size_t bytes,
                         std::size_t rank,
                         std::size_t num_threads,
                         const SplitBarrier* barrier) {
  AsyncCopy copy = new_copy(to, from, bytes, __builtin_return_address(0));
  copy.barrier = barrier;
  start_pieces(copy, rank, num_threads);
}

void close_batch() {
  const PauseChecks pause;
  async_copies.close_batch();
}

// For other threads the bytes are written now: they need a barrier after the wait.
void wait_for_batches(std::size_t num_left) {
  const PauseChecks pause;
  async_copies.finish_batches(num_left, [](const AsyncCopy& copy) {
    access_shared({reinterpret_cast<std::uintptr_t>(copy.to), static_cast<unsigned>(copy.bytes),
                   Access::kWrite, copy.site, sites.number_of(copy.site)});
  });
}

void set_up_barrier(SplitBarrier& barrier, unsigned num_threads) {
  const PauseChecks pause;
  const MemoryAccess access = access_of(barrier, Access::kWrite, __builtin_return_address(0));
  if (shared_memory.contains(access.address)) access_shared(access);
  barrier = {0, num_threads, num_threads, false};
}

unsigned arrive(SplitBarrier& barrier, unsigned count) {
  const PauseChecks pause;
  check_is_set_up(barrier, __builtin_return_address(0));
  const unsigned phase = barrier.phase;
  barrier.has_counts |= count > 1;
  order_by_barrier(barrier);
  barrier.num_missing -= std::min(count, barrier.num_missing);
  if (barrier.num_missing > 0) return phase;
  ++barrier.phase;
  if (is_of_whole_block(barrier)) ++machine.epoch;
  barrier.num_missing = barrier.num_expected;
  async_copies.finish_copies_of(barrier);
  return phase;
}

void arrive_and_drop(SplitBarrier& barrier) {
  --barrier.num_expected;
  arrive(barrier, 1);
}

void wait_for(SplitBarrier& barrier, unsigned phase) {
  const PauseChecks pause;
  Thread& me = self();
  me.waits_at = __builtin_return_address(0);
  check_is_set_up(barrier, me.waits_at);
  progress.add_work(kWaitWork);
  for (int polls = 0; barrier.phase == phase; ++polls) {
    if (polls < kMaxPolls) {
      yield_to_others();
      continue;
    }
    fail(cudaErrorLaunchFailure,
         {.kind = Kind::kSpin,
          .site = me.waits_at,
          .what = name_of(me) + " waits at this cuda::barrier for " +
                  std::to_string(barrier.num_missing) + " more arrivals, which never come"});
  }
  order_by_barrier(barrier);
}

}  // namespace kv::simt
