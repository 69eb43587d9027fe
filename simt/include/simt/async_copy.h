#pragma once
// Asynchronous copies from device to shared memory (cp.async). A thread starts copies, closes them
// as a batch, and later waits until only its newest batches are left.

#include <cstddef>

#include "simt/sync.h"

namespace kv::simt {

// The phases of a cuda::barrier in shared memory.
struct SplitBarrier {
  unsigned phase;
  unsigned num_expected;
  unsigned num_missing;  // arrivals in this phase
  bool has_counts;       // a thread has arrived for several
};
void set_up_barrier(SplitBarrier& barrier, unsigned num_threads);
unsigned arrive(SplitBarrier& barrier, unsigned count);  // returns the phase
void arrive_and_drop(SplitBarrier& barrier);
KV_SIMT_CONVERGENT void wait_for(SplitBarrier& barrier, unsigned phase);

// `num_zeros` of the bytes, the last ones, are not copied but filled with zeros.
void start_padded_copy(void* to, const void* from, std::size_t bytes, std::size_t num_zeros);
// The copy ends with the phase of the barrier, if there is one, else with the wait for its batch.
void start_copy(void* to, const void* from, std::size_t bytes, const SplitBarrier* barrier);
// Each thread of a group copies a part.
void start_copy_of_group(void* to,
                         const void* from,
                         std::size_t bytes,
                         std::size_t rank,
                         std::size_t num_threads,
                         const SplitBarrier* barrier);
void close_batch();
void wait_for_batches(std::size_t num_left);

}  // namespace kv::simt
