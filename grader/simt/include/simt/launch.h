#pragma once
// Starting a kernel. kernel<<<grid, block, shared, stream>>>(arguments) is rewritten to
// kv::simt::launch(kernel).on(grid, block, shared, stream)(arguments); cudaLaunchKernelEx needs no
// rewriting.

#include <tuple>
#include <utility>

#include "simt/host_types.h"

namespace kv::simt {

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared_bytes;  // of dynamic shared memory
};

// A kernel with its arguments, for a runtime that knows no types.
struct KernelCall {
  void (*enter)(const KernelCall& call);  // runs one CUDA thread
  const void* function;                   // the kernel, to find its name
};

cudaError_t execute(const LaunchShape& shape, const KernelCall& call);

// From here on, what this thread does is checked.
void thread_begins();

// The block's extern __shared__ array.
void* dynamic_shared();

template <typename... Parameters>
struct TypedCall : KernelCall {
  using Kernel = void (*)(Parameters...);

  TypedCall(Kernel kernel, std::tuple<Parameters...> arguments)
      : KernelCall{&enter_thread, reinterpret_cast<const void*>(kernel)},
        kernel_(kernel),
        arguments_(std::move(arguments)) {}

 private:
  static void enter_thread(const KernelCall& call) {
    // Each thread has arguments of its own: they lie on its stack, not in the host's memory.
    TypedCall mine = static_cast<const TypedCall&>(call);
    thread_begins();
    std::apply(mine.kernel_, std::move(mine.arguments_));
  }

  Kernel kernel_;
  std::tuple<Parameters...> arguments_;
};

// A kernel with the shape of its grid. The stream is not needed: work is done in the order in which
// it was asked for.
template <typename... Parameters>
struct Launcher {
  void (*kernel)(Parameters...);
  LaunchShape shape;

  KV_SIMT_INLINE cudaError_t operator()(Parameters... arguments) const {
    return execute(shape, TypedCall<Parameters...>(kernel, {std::move(arguments)...}));
  }
};

template <typename... Parameters>
struct Launchable {
  void (*kernel)(Parameters...);

  Launcher<Parameters...> on(dim3 grid,
                             dim3 block,
                             std::size_t shared_bytes = 0,
                             cudaStream_t = nullptr) const {
    return {kernel, {grid, block, shared_bytes}};
  }
};

template <typename... Parameters>
Launchable<Parameters...> launch(void (*kernel)(Parameters...)) {
  return {kernel};
}

}  // namespace kv::simt

template <typename... Parameters, typename... Arguments>
KV_SIMT_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                              void (*kernel)(Parameters...),
                                              Arguments&&... arguments) {
  return kv::simt::launch(kernel).on(config->gridDim, config->blockDim, config->dynamicSmemBytes)(
      std::forward<Arguments>(arguments)...);
}
