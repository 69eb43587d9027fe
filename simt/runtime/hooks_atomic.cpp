// Atomic operations of the program's host code, such as std::atomic, which -fsanitize=thread turns
// into calls. They do only the operation; kernels use CUDA's own atomics.

#include <cstdint>

#define KV_SIMT_FETCH(bits, name)                                                          \
  std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(volatile std::uint##bits##_t* at, \
                                                         std::uint##bits##_t value, int) { \
    return __atomic_fetch_##name(at, value, __ATOMIC_SEQ_CST);                             \
  }
#define KV_SIMT_COMPARE(bits, name)                                                        \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile std::uint##bits##_t* at,      \
                                                    std::uint##bits##_t* expected,         \
                                                    std::uint##bits##_t value, int, int) { \
    return __atomic_compare_exchange_n(at, expected, value, false, __ATOMIC_SEQ_CST,       \
                                       __ATOMIC_SEQ_CST);                                  \
  }
#define KV_SIMT_ATOMICS(bits)                                                                     \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, int) {   \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                               \
  void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at, std::uint##bits##_t value,   \
                                   int) {                                                         \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                               \
  std::uint##bits##_t __tsan_atomic##bits##_exchange(volatile std::uint##bits##_t* at,            \
                                                     std::uint##bits##_t value, int) {            \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                               \
  std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                 \
      volatile std::uint##bits##_t* at, std::uint##bits##_t expected, std::uint##bits##_t value,  \
      int, int) {                                                                                 \
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                              \
  }                                                                                               \
  KV_SIMT_FETCH(bits, add)                                                                        \
  KV_SIMT_FETCH(bits, sub)                                                                        \
  KV_SIMT_FETCH(bits, and)                                                                        \
  KV_SIMT_FETCH(bits, or)                                                                         \
  KV_SIMT_FETCH(bits, xor)                                                                        \
  KV_SIMT_COMPARE(bits, strong)                                                                   \
  KV_SIMT_COMPARE(bits, weak)

extern "C" {
KV_SIMT_ATOMICS(8)
KV_SIMT_ATOMICS(16)
KV_SIMT_ATOMICS(32)
KV_SIMT_ATOMICS(64)
void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}
}
