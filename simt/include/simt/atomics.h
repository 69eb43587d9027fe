#pragma once
// Atomic operations. One CUDA thread runs at a time, so a read and a write are enough. The call to
// the runtime comes first: two atomic accesses never race, an atomic and a plain one do.

#include "simt/qualifiers.h"
#include "simt/vector_types.h"

namespace kv::simt {

// Checks the operation as one access of the line that makes it. Until its end no other thread runs,
// and its reads and writes are not checked again.
void begin_atomic(const void* address, void* old, unsigned num_bytes);
void begin_compare(const void* address, void* old, unsigned num_bytes);  // the same for atomicCAS
void end_atomic(void* address, const void* changed, unsigned num_bytes);

template <typename T, typename Change>
KV_SIMT_INLINE T atomically(T* address, Change change) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
  T old;
  begin_atomic(address, static_cast<void*>(&old), sizeof(T));
  const T changed = change(old);
  end_atomic(address, &changed, sizeof(T));
  return old;
}

template <typename T>
KV_SIMT_INLINE T compare_and_swap(T* address, T expected, T value) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
  T old;
  begin_compare(address, static_cast<void*>(&old), sizeof(T));
  const T changed = old == expected ? value : old;
  end_atomic(address, &changed, sizeof(T));
  return old;
}

}  // namespace kv::simt

// The types are those of CUDA, and no others: each form is a function of its own, so that the
// compiler refuses what nvcc refuses, and converts the other arguments as nvcc does.
#define KV_SIMT_ATOMIC(T, name, expression)                                                       \
  KV_SIMT_INLINE T name(T* address, T value) {                                                    \
    return kv::simt::atomically(address, [&](T old) -> T { return static_cast<T>(expression); }); \
  }                                                                                               \
  KV_SIMT_INLINE T name##_block(T* address, T value) {                                            \
    return name(address, value);                                                                  \
  }                                                                                               \
  KV_SIMT_INLINE T name##_system(T* address, T value) {                                           \
    return name(address, value);                                                                  \
  }
#define KV_SIMT_ATOMIC_OF_WORDS(name, expression) \
  KV_SIMT_ATOMIC(int, name, expression)           \
  KV_SIMT_ATOMIC(unsigned, name, expression)
#define KV_SIMT_ATOMIC_OF_INTEGERS(name, expression) \
  KV_SIMT_ATOMIC_OF_WORDS(name, expression)          \
  KV_SIMT_ATOMIC(long long, name, expression)        \
  KV_SIMT_ATOMIC(unsigned long long, name, expression)

KV_SIMT_ATOMIC_OF_WORDS(atomicAdd, old + value)
KV_SIMT_ATOMIC(unsigned long long, atomicAdd, old + value)
KV_SIMT_ATOMIC(float, atomicAdd, old + value)
KV_SIMT_ATOMIC(double, atomicAdd, old + value)
KV_SIMT_ATOMIC_OF_WORDS(atomicSub, old - value)
KV_SIMT_ATOMIC_OF_WORDS(atomicExch, (static_cast<void>(old), value))
KV_SIMT_ATOMIC(unsigned long long, atomicExch, (static_cast<void>(old), value))
KV_SIMT_ATOMIC(float, atomicExch, (static_cast<void>(old), value))
KV_SIMT_ATOMIC_OF_INTEGERS(atomicMin, value < old ? value : old)
KV_SIMT_ATOMIC_OF_INTEGERS(atomicMax, old < value ? value : old)
KV_SIMT_ATOMIC_OF_INTEGERS(atomicAnd, old& value)
KV_SIMT_ATOMIC_OF_INTEGERS(atomicOr, old | value)
KV_SIMT_ATOMIC_OF_INTEGERS(atomicXor, old ^ value)
KV_SIMT_ATOMIC(unsigned, atomicInc, old >= value ? 0 : old + 1)
KV_SIMT_ATOMIC(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)

#define KV_SIMT_ATOMIC_CAS_IN(T, name)                           \
  KV_SIMT_INLINE T name(T* address, T expected, T value) {       \
    return kv::simt::compare_and_swap(address, expected, value); \
  }
#define KV_SIMT_ATOMIC_CAS(T)               \
  KV_SIMT_ATOMIC_CAS_IN(T, atomicCAS)       \
  KV_SIMT_ATOMIC_CAS_IN(T, atomicCAS_block) \
  KV_SIMT_ATOMIC_CAS_IN(T, atomicCAS_system)
KV_SIMT_ATOMIC_CAS(int)
KV_SIMT_ATOMIC_CAS(unsigned)
KV_SIMT_ATOMIC_CAS(unsigned short)
KV_SIMT_ATOMIC_CAS(unsigned long long)

// Adds vectors, as from sm_90 on. Each element is added for itself.
KV_SIMT_INLINE float2 atomicAdd(float2* address, float2 value) {
  return kv::simt::atomically(
      address, [&](float2 old) { return make_float2(old.x + value.x, old.y + value.y); });
}
KV_SIMT_INLINE float4 atomicAdd(float4* address, float4 value) {
  return kv::simt::atomically(address, [&](float4 old) {
    return make_float4(old.x + value.x, old.y + value.y, old.z + value.z, old.w + value.w);
  });
}
