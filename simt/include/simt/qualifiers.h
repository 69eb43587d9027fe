#pragma once
// The keywords that CUDA adds to C++, as far as a host compiler can express them, and those of
// simt.

#define __host__
#define __device__
#define __grid_constant__
#define CUDART_CB

// Why an attribute: the compiler then lists where kernels begin (memory/program_image.h).
#define __global__ __attribute__((patchable_function_entry(1, 0)))

#define __managed__  // a variable of the program: here the host and the device share it
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __assume(...) static_cast<void>(0)
#if !defined(__clang__)
#define __builtin_assume(...) __assume(__VA_ARGS__)
#endif
#define __align__(n) __attribute__((aligned(n)))

// Why thread_local: it makes an array static inside a function and a template, and puts all such
// arrays side by side in one segment. So the runtime recognizes an address of shared memory, and
// finds each array's name and size in the symbol table.
// Why aligned: nvcc lays arrays side by side from an address that is, and programs count on it.
#define __shared__ thread_local __attribute__((aligned(16)))

// The name of its section says that a variable is the device's. The rewriter gives a section to
// each __device__ variable, and to each __constant__ one that it has to be seen filled. Why a
// number: a constant and a variable cannot share a section.
#define KV_SIMT_TEXT_OF(x) #x
#define KV_SIMT_TEXT(x) KV_SIMT_TEXT_OF(x)
#define KV_SIMT_SECTION(name) __attribute__((section(name "_" KV_SIMT_TEXT(__COUNTER__))))
#define __constant__ KV_SIMT_SECTION("kv_simt_constant")

// Functions that stand for one machine instruction: always inlined, at -O0 too, so that their
// accesses count as accesses of the line that calls them.

#if defined(__clang__)
#define KV_SIMT_INLINE inline __attribute__((always_inline, nodebug))
#else
#define KV_SIMT_INLINE inline __attribute__((always_inline, artificial))
#endif

// It goes after the parameters of a lambda.
#define KV_SIMT_INLINE_LAMBDA __attribute__((always_inline))
