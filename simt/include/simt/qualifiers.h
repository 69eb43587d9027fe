#pragma once
// The words that CUDA adds to C++, as far as a host compiler can say them.

#define __host__
#define __device__
#define __global__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

// Why thread_local: it makes an array static inside a function and a template, and all such arrays
// lie side by side in one segment. So the runtime knows shared memory when it sees it, and finds
// each array's name and size in the symbol table.
#define __shared__ thread_local

// A section of its own tells constants from all other memory.
#define __constant__ __attribute__((section("kv_simt_constant")))
