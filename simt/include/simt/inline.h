#pragma once
// Functions that stand for one machine instruction: always inlined, at -O0 too, so that their
// accesses count as accesses of the line that calls them.

#if defined(__clang__)
#define KV_SIMT_INLINE inline __attribute__((always_inline, nodebug))
#else
#define KV_SIMT_INLINE inline __attribute__((always_inline, artificial))
#endif

// It goes after the parameters of a lambda.
#define KV_SIMT_INLINE_LAMBDA __attribute__((always_inline))
