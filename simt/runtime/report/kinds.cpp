#include "simt/runtime/report/kinds.h"

namespace kv::simt {

namespace {

// In the order of the kinds.
constexpr KindText kKindTexts[] = {
    {"out-of-bounds", "memcheck",
     "These bytes belong to nobody: on a GPU this reads garbage, destroys other data, or ends "
     "the "
     "program with error 700."},
    {"misaligned", "memcheck",
     "A GPU reads and writes 2, 4, 8 or 16 bytes only at a multiple of that many: error 716."},
    {"null-pointer", "memcheck", "Nothing lies at address 0: error 700 on a GPU."},
    {"host-pointer", "memcheck",
     "A kernel cannot reach the host's memory: copy the data to memory from cudaMalloc, and hand "
     "over that pointer."},
    {"use-after-free", "memcheck",
     "cudaFree has given this memory back; somebody else may own it by now."},
    {"local-memory-of-another-thread", "memcheck",
     "A thread's local variables are its own: share values through shared memory or a shuffle."},
    {"write-to-constant", "memcheck", "Kernels may only read __constant__ memory."},
    {"stack-overflow", "memcheck",
     "Recursion without end, or local arrays that are too large for a thread."},
    {"array-index", "memcheck", "The index lies outside of the array it is used on."},
    {"device-pointer-on-host", "memcheck",
     "Memory from cudaMalloc lies on the device: on a real machine the host crashes here. Use "
     "cudaMemcpy."},
    {"bad-call", "memcheck", "CUDA refuses this call with an error; check what it returns."},
    {"leak", "leakcheck", "Call cudaFree for every cudaMalloc."},
    {"uninitialized", "initcheck",
     "What is read there is whatever was in memory before: another value in each run."},
    {"shared-race", "racecheck",
     "Nothing orders these two: which comes first changes from run to run. A __syncthreads() "
     "between them is missing, or within one warp a __syncwarp()."},
    {"global-race", "racecheck",
     "Nothing orders these two: which comes first changes from run to run. Give each thread its "
     "own element, or use an atomic operation."},
    {"divergent-barrier", "synccheck",
     "All threads of a block have to reach the same __syncthreads(): no branch that only some of "
     "them take may hold one."},
    {"barrier-not-reached", "synccheck",
     "All threads of a block have to reach every __syncthreads(): a thread that has nothing to "
     "do "
     "may skip the work, not the barrier."},
    {"lane-not-in-mask", "synccheck",
     "A lane that makes a _sync call has to be named in its mask; what it gets is undefined."},
    {"missing-lanes", "synccheck",
     "Every live lane that the mask names has to make the call: on a GPU this hangs or gives "
     "garbage."},
    {"different-calls", "synccheck",
     "The lanes that a mask names have to meet in the same call: here they took different ways."},
    {"inactive-lane", "synccheck", "What comes from a lane that takes no part is undefined."},
    {"spin", "synccheck",
     "A loop without end, or one that waits for a thread which cannot run before this one ends."},
    {"assert", "assert", "The program's own check failed: error 710."},
    {"trap", "assert", "The kernel ended itself: error 719."},
    {"bad-launch", "launch",
     "The kernel did not run at all; cudaGetLastError() would have said so."},
};

}  // namespace

const KindText& text_of(Kind kind) {
  return kKindTexts[static_cast<int>(kind)];
}

}  // namespace kv::simt
