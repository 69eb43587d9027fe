#pragma once
// Asynchronous copies that a group shares.

#include "cooperative_groups.h"
#include "simt/async_copy.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Bytes>
KV_SIMT_INLINE void memcpy_async(const Group& group, T* to, const T* from, Bytes bytes) {
  kv::simt::start_copy_of_group(to, from, bytes, group.thread_rank(), group.size(), nullptr);
  kv::simt::close_batch();
}

// Waits for all copies of all threads of the group, or until the newest kLeft are left.
template <typename Group>
KV_SIMT_INLINE void wait(const Group& group) {
  kv::simt::wait_for_batches(0);
  group.sync();
}
template <unsigned kLeft, typename Group>
KV_SIMT_INLINE void wait_prior(const Group& group) {
  kv::simt::wait_for_batches(kLeft);
  group.sync();
}

}  // namespace cooperative_groups
