#pragma once
// Starting a kernel. kernel<<<grid, block, shared, stream>>>(arguments) is rewritten to
// KV_SIMT_LAUNCH(kernel).on(grid, block, shared, stream)(arguments); cudaLaunchKernelEx needs no
// rewriting.

#include <type_traits>

#include "simt/kernel_call.h"

namespace kv::simt {

template <typename... Parameters>
struct Launcher {
  void (*kernel)(Parameters...);
  LaunchShape shape = {};

  KV_SIMT_INLINE cudaError_t operator()(Parameters... arguments) const {
    using Call = TypedCall<void (*)(Parameters...), Parameters...>;
    const KernelName name{reinterpret_cast<const void*>(kernel), nullptr};
    return execute(shape, Call(kernel, name, {std::move(arguments)...}));
  }
};

// A template whose arguments have to be deduced: it has no address, but it can be called.
template <typename Kernel>
struct DeducingLauncher {
  Kernel kernel;
  const char* text;
  LaunchShape shape = {};

  template <typename... Arguments>
  KV_SIMT_INLINE cudaError_t operator()(Arguments... arguments) const {
    using Call = TypedCall<Kernel, Arguments...>;
    return execute(shape, Call(kernel, {nullptr, text}, {std::move(arguments)...}));
  }
};

// Either kind, without a grid so far.
template <typename AnyLauncher>
struct Launchable {
  AnyLauncher launcher;

  // The stream is not needed: work runs in the order of the calls.
  AnyLauncher on(dim3 grid,
                 dim3 block,
                 std::size_t shared_bytes = 0,
                 cudaStream_t = nullptr) const {
    AnyLauncher shaped = launcher;
    shaped.shape = {grid, block, shared_bytes};
    return shaped;
  }
};

struct TakeKernel {
  template <typename... Parameters>
  Launchable<Launcher<Parameters...>> operator()(void (*kernel)(Parameters...)) const {
    return {{kernel}};
  }
};

// give(TakeKernel) gives the kernel, if it has an address; call(arguments) calls it.
template <typename Give, typename Call>
auto launch(Give give, Call call, const char* text) {
  if constexpr (std::is_invocable_v<Give, TakeKernel>) {
    return give(TakeKernel());
  } else {
    return Launchable<DeducingLauncher<Call>>{{call, text}};
  }
}

}  // namespace kv::simt

template <typename... Parameters, typename... Arguments>
KV_SIMT_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                              void (*kernel)(Parameters...),
                                              Arguments&&... arguments) {
  return kv::simt::TakeKernel()(kernel).on(
      config->gridDim, config->blockDim,
      config->dynamicSmemBytes)(std::forward<Arguments>(arguments)...);
}

// Why a macro: only the compiler can decide whether a kernel has an address, so it gets both forms.
#define KV_SIMT_LAUNCH(...)                                           \
  ::kv::simt::launch(                                                 \
      [&](auto kv_simt_take) -> decltype(kv_simt_take(__VA_ARGS__)) { \
        return kv_simt_take(__VA_ARGS__);                             \
      },                                                              \
      [&](auto... kv_simt_arguments) { __VA_ARGS__(kv_simt_arguments...); }, #__VA_ARGS__)
