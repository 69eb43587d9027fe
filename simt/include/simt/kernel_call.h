#pragma once
// A kernel with its arguments, for a runtime without types.

#include <cstddef>
#include <tuple>
#include <utility>

#include "simt/host_types.h"

namespace kv::simt {

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared_bytes;  // of dynamic shared memory
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;  // its blocks can wait for each other
};

// The name of a kernel comes from its address. Without one, it is the text before <<< in the
// program.
struct KernelName {
  const void* function;
  const char* text;
};

struct KernelCall {
  void (*enter)(const KernelCall& call);  // runs one CUDA thread
  // For a graph, which launches it later. Copies stay until the program ends.
  const KernelCall* (*copy)(const KernelCall& call);
  KernelName name;
};

cudaError_t execute(const LaunchShape& shape, const KernelCall& call);

// Checking of this thread starts here.
void thread_begins();

// The block's extern __shared__ array.
void* dynamic_shared();

template <typename Kernel, typename... Parameters>
struct TypedCall : KernelCall {
  TypedCall(Kernel kernel, const KernelName& its_name, std::tuple<Parameters...> arguments)
      : KernelCall{&enter_thread, &copy_call, its_name},
        kernel_(kernel),
        arguments_(std::move(arguments)) {}

 private:
  static void enter_thread(const KernelCall& call) {
    // Each thread has its own copy of the arguments, on its stack: not in the host's memory.
    TypedCall mine = static_cast<const TypedCall&>(call);
    thread_begins();
    std::apply(mine.kernel_, std::move(mine.arguments_));
  }

  static const KernelCall* copy_call(const KernelCall& call) {
    return new TypedCall(static_cast<const TypedCall&>(call));
  }

  Kernel kernel_;
  std::tuple<Parameters...> arguments_;
};

}  // namespace kv::simt
