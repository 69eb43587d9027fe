#pragma once
// Starting a kernel. kernel<<<grid, block, shared, stream>>>(arguments) is rewritten to
// KV_SIMT_LAUNCH(kernel).on(grid, block, shared, stream)(arguments); cudaLaunchKernelEx needs no
// rewriting.

#include <string_view>
#include <type_traits>

#include "simt/kernel_call.h"

namespace kv::simt {

// Why by its name: nothing in C++ asks whether a type is that of a lambda.
template <typename T>
constexpr bool is_lambda() {
  const std::string_view name = __PRETTY_FUNCTION__;
  return name.find("<lambda(") != name.npos || name.find("(lambda at ") != name.npos;
}

template <typename... Parameters>
constexpr std::size_t parameter_bytes() {
  std::size_t bytes = 0;
  const auto add = [&](std::size_t size, std::size_t alignment) {
    bytes = (bytes + alignment - 1) / alignment * alignment + size;
  };
  (add(sizeof(Parameters), alignof(Parameters)), ...);
  return bytes;
}

// What nvcc refuses of a launch. The sentences are told with the line of the launch.
template <typename... Parameters>
constexpr void check_parameters() {
  static_assert(parameter_bytes<Parameters...>() <= 32764,
                "CUDA: the parameters of a kernel have at most 32,764 bytes");
#ifndef __CUDACC_EXTENDED_LAMBDA__
  static_assert((!is_lambda<Parameters>() && ...),
                "CUDA: a kernel gets no lambda of the host. Give it a struct with a __device__ "
                "operator(), or a __device__ lambda and the option --extended-lambda");
#endif
}

// Call: a function object that calls the kernel, with default arguments where it has some.
template <typename Call, typename... Parameters>
struct Launcher {
  void (*kernel)(Parameters...);
  Call call;
  LaunchShape shape = {};

  KV_SIMT_INLINE cudaError_t operator()(Parameters... arguments) const {
    check_parameters<Parameters...>();
    using Typed = TypedCall<void (*)(Parameters...), Parameters...>;
    return execute(shape, Typed(kernel, name(), {{std::forward<Parameters>(arguments)}...}));
  }
  template <typename... Arguments>
  requires(sizeof...(Arguments) < sizeof...(Parameters)) KV_SIMT_INLINE cudaError_t operator()(
      Arguments... arguments) const {
    check_parameters<Arguments...>();
    static_assert(std::is_invocable_v<Call, Arguments...>,
                  "CUDA: this launch gives its kernel too few arguments");
    using Typed = TypedCall<Call, Arguments...>;
    return execute(shape, Typed(call, name(), {{std::move(arguments)}...}));
  }

 private:
  KernelName name() const { return {reinterpret_cast<const void*>(kernel), nullptr}; }
};

// A template whose arguments have to be deduced: it has no address, but it can be called.
template <typename Kernel>
struct DeducingLauncher {
  Kernel kernel;
  const char* text;
  LaunchShape shape = {};

  template <typename... Arguments>
  KV_SIMT_INLINE cudaError_t operator()(Arguments... arguments) const {
    check_parameters<Arguments...>();
    static_assert(std::is_invocable_v<Kernel, Arguments...>,
                  "CUDA: these arguments do not fit the kernel's parameters");
    using Call = TypedCall<Kernel, Arguments...>;
    return execute(shape, Call(kernel, {nullptr, text}, {{std::move(arguments)}...}));
  }
};

// Either kind, without a grid so far.
template <typename AnyLauncher>
struct Launchable {
  AnyLauncher launcher;

  AnyLauncher on(dim3 grid,
                 dim3 block = 1,
                 std::size_t shared_bytes = 0,
                 cudaStream_t stream = nullptr) const {
    return on_shape({grid, block, shared_bytes, stream});
  }
  AnyLauncher on_shape(const LaunchShape& shape) const {
    AnyLauncher shaped = launcher;
    shaped.shape = shape;
    return shaped;
  }
  // The rewriter calls this one in device code. It is not defined: see not_here.h.
  AnyLauncher in_kernel_on(dim3, dim3, std::size_t = 0, cudaStream_t = nullptr) const;
};

template <typename Call>
struct TakeKernel {
  Call call;

  template <typename... Parameters>
  Launchable<Launcher<Call, Parameters...>> operator()(void (*kernel)(Parameters...)) const {
    return {{kernel, call}};
  }
};

// give(TakeKernel) gives the kernel, if it has an address; call(arguments) calls it.
template <typename Give, typename Call>
auto launch(Give give, Call call, const char* text) {
  if constexpr (std::is_invocable_v<Give, TakeKernel<Call>>) {
    return give(TakeKernel<Call>{call});
  } else {
    return Launchable<DeducingLauncher<Call>>{{call, text}};
  }
}

// A launch with an array of pointers to the arguments.
template <typename... Parameters, std::size_t... kIndices>
KV_SIMT_INLINE cudaError_t launch_with_pointers(void (*kernel)(Parameters...),
                                                void** arguments,
                                                const LaunchShape& shape,
                                                std::index_sequence<kIndices...>) {
  return TakeKernel<void (*)(Parameters...)>{kernel}(kernel).on_shape(shape)(
      *static_cast<std::remove_reference_t<Parameters>*>(arguments[kIndices])...);
}

KV_SIMT_INLINE LaunchShape shape_of(const cudaLaunchConfig_t& config) {
  bool is_cooperative = false;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) is_cooperative = attribute.val.cooperative;
  }
  return {config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream, is_cooperative};
}

}  // namespace kv::simt

template <typename... Parameters, typename... Arguments>
KV_SIMT_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                              void (*kernel)(Parameters...),
                                              Arguments&&... arguments) {
  return kv::simt::TakeKernel<void (*)(Parameters...)>{kernel}(kernel).on_shape(
      kv::simt::shape_of(*config))(std::forward<Arguments>(arguments)...);
}

template <typename... Parameters>
KV_SIMT_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...),
                                            dim3 grid,
                                            dim3 block,
                                            void** arguments,
                                            std::size_t shared_bytes = 0,
                                            cudaStream_t stream = nullptr) {
  return kv::simt::launch_with_pointers(kernel, arguments, {grid, block, shared_bytes, stream},
                                        std::index_sequence_for<Parameters...>());
}
// The blocks of the grid can wait for each other: cooperative_groups::this_grid().sync().
template <typename... Parameters>
KV_SIMT_INLINE cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...),
                                                       dim3 grid,
                                                       dim3 block,
                                                       void** arguments,
                                                       std::size_t shared_bytes = 0,
                                                       cudaStream_t stream = nullptr) {
  return kv::simt::launch_with_pointers(kernel, arguments,
                                        {grid, block, shared_bytes, stream, true},
                                        std::index_sequence_for<Parameters...>());
}

// Why a macro: only the compiler can decide whether a kernel has an address, so it gets both forms.
#define KV_SIMT_LAUNCH(...)                                                           \
  ::kv::simt::launch(                                                                 \
      [&](auto kv_simt_take) -> decltype(kv_simt_take(__VA_ARGS__)) {                 \
        return kv_simt_take(__VA_ARGS__);                                             \
      },                                                                              \
      [&](auto... kv_simt_arguments) -> decltype(__VA_ARGS__(kv_simt_arguments...)) { \
        __VA_ARGS__(kv_simt_arguments...);                                            \
      },                                                                              \
      #__VA_ARGS__)
