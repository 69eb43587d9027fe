#pragma once
// Asynchronous copies from device to shared memory, in C's style.

#include "cuda_runtime.h"
#include "simt/async_copy.h"

KV_SIMT_INLINE void __pipeline_memcpy_async(void* shared,
                                            const void* global,
                                            std::size_t bytes,
                                            std::size_t num_zeros = 0) {
  kv::simt::start_padded_copy(shared, global, bytes, num_zeros);
}
KV_SIMT_INLINE void __pipeline_commit() {
  kv::simt::close_batch();
}
KV_SIMT_INLINE void __pipeline_wait_prior(std::size_t num_left) {
  kv::simt::wait_for_batches(num_left);
}
