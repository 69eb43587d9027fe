#pragma once
// Functions that stand for one machine instruction: always inlined, at -O0 too, so that an access
// they make counts as made by the line that called them.

#if defined(__clang__)
#define KV_SIMT_INLINE inline __attribute__((always_inline, nodebug))
#else
#define KV_SIMT_INLINE inline __attribute__((always_inline, artificial))
#endif
