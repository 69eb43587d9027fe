// Atomic operations of C++, which -fsanitize=thread turns into calls. std::atomic of host code is
// one user; NVIDIA's cuda::atomic, compiled as host code, is the other, and what a kernel does with
// it is checked as CUDA's own atomics are.

#include <cstdint>
#include <cstring>
#include <utility>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/hooks.h"

namespace kv::simt {
namespace {

bool is_of_kernel() {
  return machine.is_checking && !is_other_thread();
}

// memory_order_release, _acq_rel, _seq_cst: the compiler gives the order as a number.
bool is_release(int order) {
  return order >= __ATOMIC_RELEASE;
}

template <typename T>
struct AtomicPlace {
  volatile T* at;
  int order;
  Site site;

  const void* address() const { return const_cast<const T*>(at); }

  void check(Access kind) const {
    if (!is_of_kernel()) return;
    if (kind != Access::kAtomicRead && is_release(order)) fence();
    access(address(), sizeof(T), kind, site);
  }

  T load() const {
    check(Access::kAtomicRead);
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
  }
  void store(T value) const {
    check(Access::kAtomicWrite);
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
  }
  // What was there, while `change` makes something else of it.
  template <typename Change>
  T update(Change change) const {
    check(Access::kAtomic);
    T old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(at, &old, change(old), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
    return old;
  }
  T exchange_if(T expected, T value) const {
    if (is_of_kernel()) remember_cas(address());
    return update([&](T old) { return old == expected ? value : old; });
  }
  bool exchange_if(T* expected, T value) const {
    const T before = std::exchange(*expected, exchange_if(*expected, value));
    return before == *expected;
  }
};

}  // namespace
}  // namespace kv::simt

#define KV_SIMT_PLACE(T) (kv::simt::AtomicPlace<T>{at, order, __builtin_return_address(0)})
#define KV_SIMT_UPDATE(bits, name, T, expression)                                 \
  T __tsan_atomic##bits##_##name(volatile T* at, T value, int order) {            \
    return KV_SIMT_PLACE(T).update(                                               \
        [=]([[maybe_unused]] T old) -> T { return static_cast<T>(expression); }); \
  }
#define KV_SIMT_COMPARE(bits, name, T)                                                    \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* at, T* expected, T value, \
                                                    int order, int) {                     \
    return KV_SIMT_PLACE(T).exchange_if(expected, value);                                 \
  }
#define KV_SIMT_ATOMICS(bits, T)                                                               \
  T __tsan_atomic##bits##_load(const volatile T* from, int order) {                            \
    volatile T* const at = const_cast<volatile T*>(from);                                      \
    return KV_SIMT_PLACE(T).load();                                                            \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                       \
    KV_SIMT_PLACE(T).store(value);                                                             \
  }                                                                                            \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order, \
                                               int) {                                          \
    return KV_SIMT_PLACE(T).exchange_if(expected, value);                                      \
  }                                                                                            \
  KV_SIMT_UPDATE(bits, exchange, T, value)                                                     \
  KV_SIMT_UPDATE(bits, fetch_add, T, old + value)                                              \
  KV_SIMT_UPDATE(bits, fetch_sub, T, old - value)                                              \
  KV_SIMT_UPDATE(bits, fetch_and, T, old& value)                                               \
  KV_SIMT_UPDATE(bits, fetch_or, T, old | value)                                               \
  KV_SIMT_UPDATE(bits, fetch_xor, T, old ^ value)                                              \
  KV_SIMT_COMPARE(bits, strong, T)                                                             \
  KV_SIMT_COMPARE(bits, weak, T)

extern "C" {
KV_SIMT_ATOMICS(8, std::uint8_t)
KV_SIMT_ATOMICS(16, std::uint16_t)
KV_SIMT_ATOMICS(32, std::uint32_t)
KV_SIMT_ATOMICS(64, std::uint64_t)
void __tsan_atomic_thread_fence(int order) {
  if (kv::simt::is_of_kernel()) return kv::simt::is_release(order) ? kv::simt::fence() : void();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}
}
