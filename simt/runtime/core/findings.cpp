#include "simt/runtime/core/findings.h"

#include <algorithm>
#include <bit>

#include "simt/runtime/core/machine.h"

extern "C" {
extern uint3 blockIdx;
}

namespace kv::simt {
namespace {

// In the order of the kinds.
constexpr KindText kKindTexts[] = {
    {"out-of-bounds", "memcheck",
     "No allocation holds these bytes: on a GPU this reads garbage, destroys other data, or ends "
     "the "
     "program with error 700."},
    {"misaligned", "memcheck",
     "A GPU reads and writes 2, 4, 8 or 16 bytes only at a multiple of that many: error 716."},
    {"null-pointer", "memcheck", "Nothing is at address 0: error 700 on a GPU."},
    {"host-pointer", "memcheck",
     "A kernel cannot reach the host's memory: copy the data to memory from cudaMalloc, and pass "
     "that pointer."},
    {"use-after-free", "memcheck",
     "cudaFree has released this memory: other data may be there by now."},
    {"local-memory-of-another-thread", "memcheck",
     "A thread's local variables are its own: share values through shared memory or a shuffle."},
    {"write-to-constant", "memcheck", "Kernels may only read __constant__ memory."},
    {"stack-overflow", "memcheck",
     "Endless recursion, or local arrays that are too large for a thread."},
    {"array-index", "memcheck", "The index is outside the array."},
    {"device-pointer-on-host", "memcheck",
     "Memory from cudaMalloc is on the device: on a real machine the host crashes here. Use "
     "cudaMemcpy."},
    {"bad-call", "memcheck", "CUDA returns an error from this call: check what it returns."},
    {"leak", "leakcheck", "Call cudaFree for every cudaMalloc."},
    {"uninitialized", "initcheck",
     "The read gives whatever was in memory before: it may be another value in each run."},
    {"shared-race", "racecheck",
     "Nothing orders these two accesses: between them, or before the next call or round of a loop, "
     "a __syncthreads() is missing (in one warp: a __syncwarp())."},
    {"global-race", "racecheck",
     "Nothing orders these two accesses: which one comes first changes from run to run. Give each "
     "thread its own element, or use an atomic operation."},
    {"stream-race", "racecheck",
     "Work in two streams runs in any order, or at once. Let one stream wait for an event of the "
     "other (cudaEventRecord, cudaStreamWaitEvent), or let the host wait in between."},
    {"divergent-barrier", "synccheck",
     "All threads of a block have to reach the same __syncthreads(): it must not be in a branch "
     "that only some of them take."},
    {"barrier-not-reached", "synccheck",
     "All threads of a block have to reach every __syncthreads(): a thread that has nothing to do "
     "may skip the work, not the barrier."},
    {"lane-not-in-mask", "synccheck",
     "A lane that makes a _sync call has to be named in its mask: otherwise its result is "
     "undefined."},
    {"missing-lanes", "synccheck",
     "Every live lane that the mask names has to make the call: on a GPU this hangs or gives wrong "
     "values."},
    {"different-calls", "synccheck",
     "The lanes that a mask names have to make the same call: here they took different paths."},
    {"inactive-lane", "synccheck", "The value of a lane that takes no part is undefined."},
    {"spin", "synccheck",
     "An endless loop, or a loop that waits for something that no other thread does. The launch "
     "was abandoned here."},
    {"grid-barrier", "synccheck",
     "Blocks can wait for each other only if all of them are there at once, in a cooperative "
     "launch, and if all of them reach the barrier: on a GPU this ends in an error, or hangs."},
    {"unfinished-copy", "synccheck",
     "An asynchronous copy may take place at any time up to the wait for it, and other threads may "
     "use its bytes only after a barrier that follows the wait."},
    {"matrix-call", "synccheck",
     "All 32 lanes of a warp make this call together; in wmma with one address and one leading "
     "dimension, a multiple of 16 bytes. Else the result is undefined."},
    {"numbered-barrier", "synccheck",
     "A block has 16 barriers, 0 to 15. All that come to one of them give the same number of "
     "threads, which are whole warps, and as many have to come."},
    {"assert", "assert", "The program's own check failed: error 710."},
    {"trap", "assert", "The kernel ended itself: error 719."},
    {"bad-launch", "launch",
     "The kernel did not run at all; cudaGetLastError() returns the error."},
    {"host-variable", "memcheck",
     "A kernel cannot use the host's variables: declare it __device__ or __constant__ and fill it "
     "with cudaMemcpyToSymbol, or copy it to memory from cudaMalloc and pass that pointer."},
    {"constant-not-filled", "initcheck",
     "All its bytes are 0: call cudaMemcpyToSymbol before the launch."},
    {"device-variable-on-host", "memcheck",
     "A __device__ or __constant__ variable is on the device, and the host has no copy of it: use "
     "cudaMemcpyFromSymbol to read it and cudaMemcpyToSymbol to write it."},
    {"not-synchronized", "racecheck",
     "A launch and an asynchronous copy return before their work is done: call "
     "cudaDeviceSynchronize() or cudaStreamSynchronize() before the host uses the data."},
    {"shared-memory-size", "launch",
     "nvcc refuses a kernel with more than 49152 bytes of static shared memory. Use extern "
     "__shared__, give the bytes at the launch, and allow them first: cudaFuncSetAttribute(kernel, "
     "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)."},
    {"same-value", "note",
     "Nothing orders these two writes, but both write the same value: the result does not depend "
     "on which one comes first."},
    {"read-before-cas", "note",
     "Nothing orders this read and that update, but the atomicCAS that follows compares: with an "
     "old value it fails, and the loop tries again."},
    {"early-return", "note",
     "A barrier waits only for threads that have not returned, so this is right. GPUs before sm_70 "
     "wait for ever: for them a thread skips the work, not the barrier."},
};

bool same_places(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.site == b.site && a.kernel == b.kernel &&
         std::equal(a.notes.begin(), a.notes.end(), b.notes.begin(), b.notes.end(),
                    [](const Note& x, const Note& y) { return x.site == y.site; });
}

}  // namespace

__attribute__((init_priority(102))) Findings findings;

const KindText& text_of(Kind kind) {
  return kKindTexts[static_cast<int>(kind)];
}

void Findings::add(Finding finding, const Thread* thread) {
  finding.launch = machine.launch_number;
  finding.in_kernel = machine.current != nullptr;
  if (finding.in_kernel) {
    finding.kernel = machine.kernel_name;
    finding.block = blockIdx;
    finding.thread = (thread == nullptr ? self() : *thread).index;
  }
  for (Finding& known : all_) {
    if (!same_places(known, finding)) continue;
    ++known.count;
    return;
  }
  all_.push_back(std::move(finding));
}

void Findings::remove_notes() {
  std::erase_if(all_, [](const Finding& finding) { return is_note(finding.kind); });
}

// In words, where threads were when their launch was abandoned.
namespace {

struct Verb {
  const char* one;   // thread
  const char* many;  // lanes
};

// In the order of Doing.
constexpr Verb kVerbs[] = {
    {"runs this loop", "run this loop"},
    {"waits at this barrier", "wait at this barrier"},
    {"waits here for other lanes of its warp", "wait here for other lanes of their warps"},
    {"was here last", "were here last"},
    {"has not begun", "have not begun"},
    {"has returned", "have returned"},
};

// "warp 3", "warps 0-3, 7": those with these lanes.
std::string text_of_warps(const std::vector<std::uint32_t>& lanes, std::uint32_t wanted) {
  std::uint32_t warps = 0;  // a block has at most 32
  for (std::size_t warp = 0; warp < lanes.size(); ++warp) {
    warps |= (lanes[warp] == wanted ? 1u : 0u) << warp;
  }
  return (std::has_single_bit(warps) ? "warp " : "warps ") + text_of_lanes(warps);
}

}  // namespace

unsigned Whereabouts::first_thread() const {
  unsigned warp = 0;
  while (lanes[warp] == 0) ++warp;
  return warp * 32 + static_cast<unsigned>(std::countr_zero(lanes[warp]));
}

std::string Whereabouts::text() const {
  int num_threads = 0;
  for (const std::uint32_t mask : lanes) num_threads += std::popcount(mask);
  const Verb& verb = kVerbs[static_cast<int>(doing)];
  if (num_threads == 1) return name_of(machine.threads[first_thread()]) + " " + verb.one;
  std::string text;
  for (std::size_t warp = 0; warp < lanes.size(); ++warp) {
    const std::uint32_t mask = lanes[warp];
    const bool is_told = std::find(lanes.begin(), lanes.begin() + static_cast<std::ptrdiff_t>(warp),
                                   mask) != lanes.begin() + static_cast<std::ptrdiff_t>(warp);
    if (mask == 0 || is_told) continue;
    text += (text.empty() ? "" : "; ") +
            std::string(std::has_single_bit(mask) ? "lane " : "lanes ") + text_of_lanes(mask) +
            " of " + text_of_warps(lanes, mask);
  }
  return text + " " + verb.many;
}

}  // namespace kv::simt
