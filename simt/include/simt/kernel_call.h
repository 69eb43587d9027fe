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
};

// The name of a kernel comes from its address. Without one, it is the text before <<< in the
// program.
struct KernelName {
  const void* function;
  const char* text;
};

struct KernelCall {
  void (*enter)(const KernelCall& call);  // runs one CUDA thread
  KernelName name;
};

cudaError_t execute(const LaunchShape& shape, const KernelCall& call);

// A kernel with __launch_bounds__(max_threads) begins with this call.
void check_launch_bounds(unsigned max_threads);

// Checking of this thread starts here.
void thread_begins();

// The block's extern __shared__ array.
void* dynamic_shared();

template <typename Kernel, typename... Parameters>
struct TypedCall : KernelCall {
  TypedCall(Kernel kernel, const KernelName& its_name, std::tuple<Parameters...> arguments)
      : KernelCall{&enter_thread, its_name}, kernel_(kernel), arguments_(std::move(arguments)) {}

 private:
  static void enter_thread(const KernelCall& call) {
    // Each thread has its own copy of the arguments, on its stack: not in the host's memory.
    TypedCall mine = static_cast<const TypedCall&>(call);
    thread_begins();
    std::apply(mine.kernel_, std::move(mine.arguments_));
  }

  Kernel kernel_;
  std::tuple<Parameters...> arguments_;
};

}  // namespace kv::simt
