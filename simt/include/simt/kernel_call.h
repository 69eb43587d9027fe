#pragma once
// A kernel with its arguments, for a runtime without types.

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "simt/host_types.h"

namespace kv::simt {

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared_bytes;  // dynamic shared memory
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;  // its blocks can wait for each other
};

// The name of a kernel comes from its address. Without one, it is the text before <<< in the
// program.
struct KernelName {
  const void* function;
  const char* text;
};

// A pointer that a kernel gets, to structs of this size and alignment. nvcc copies a struct in
// pieces of its alignment, and the compiler's calls do not tell it.
struct StructPointer {
  const void* address;
  std::size_t bytes, alignment;
};

struct KernelCall {
  void (*enter)(const KernelCall& call);  // runs one CUDA thread
  // For a graph, which launches it later. Copies stay until the program ends.
  const KernelCall* (*copy)(const KernelCall& call);
  KernelName name;
  const StructPointer* pointers = nullptr;
  std::size_t num_pointers = 0;
};

cudaError_t execute(const LaunchShape& shape, const KernelCall& call);

// A kernel with __launch_bounds__(max_threads) begins with this call.
void check_launch_bounds(unsigned max_threads);

// What stands after the "return" of a function of the device: "return ::kv::simt::returns_early();"
void returns_early();

// Checking of this thread starts here.
void thread_begins();

// The block's extern __shared__ array.
void* dynamic_shared();

// The rewriter writes it after the block's array `name`. Why: in a file, nvcc gives all extern
// __shared__ arrays of a name one type, as C++ does with this declaration.
#define KV_SIMT_ONE_TYPE(name) \
  [[maybe_unused]] extern std::remove_reference_t<decltype(*name)> kv_simt_shared_##name[]

template <typename T>
StructPointer struct_pointer(const T& argument) {
  if constexpr (requires { sizeof(*argument); } && std::is_pointer_v<T>) {
    using Pointed = std::remove_pointer_t<T>;
    if constexpr (std::is_class_v<Pointed>) return {argument, sizeof(Pointed), alignof(Pointed)};
  }
  return {};
}

template <std::size_t kIndex, typename T>
struct Argument {
  T value;
};

// Why no std::tuple: each thread begins with its arguments, and at -O0 std::apply and std::forward
// are calls of functions that are checked like a kernel's own.
template <typename Indices, typename... Parameters>
struct Arguments;
template <std::size_t... kIndices, typename... Parameters>
struct Arguments<std::index_sequence<kIndices...>, Parameters...>
    : Argument<kIndices, Parameters>... {
  std::array<StructPointer, sizeof...(Parameters)> pointers() const {
    return {struct_pointer(static_cast<const Argument<kIndices, Parameters>&>(*this).value)...};
  }
  template <typename Kernel>
  KV_SIMT_INLINE void give_to(Kernel& kernel) {
    kernel(static_cast<Parameters&&>(static_cast<Argument<kIndices, Parameters>&>(*this).value)...);
  }
};

template <typename Kernel, typename... Parameters>
struct TypedCall : KernelCall {
  using Given = Arguments<std::index_sequence_for<Parameters...>, Parameters...>;

  TypedCall(Kernel kernel, const KernelName& its_name, Given arguments)
      : KernelCall{&enter_thread, &copy_call, its_name},
        kernel_(kernel),
        arguments_(std::move(arguments)),
        pointers_(arguments_.pointers()) {
    pointers = pointers_.data();
    num_pointers = pointers_.size();
  }

 private:
  static void enter_thread(const KernelCall& call) {
    // Each thread has its own copy of the arguments, on its stack: not in the host's memory.
    const auto& typed = static_cast<const TypedCall&>(call);
    Kernel kernel = typed.kernel_;
    Given mine = typed.arguments_;
    thread_begins();
    mine.give_to(kernel);
  }

  static const KernelCall* copy_call(const KernelCall& call) {
    auto* const copied = new TypedCall(static_cast<const TypedCall&>(call));
    copied->pointers = copied->pointers_.data();
    return copied;
  }

  Kernel kernel_;
  Given arguments_;
  std::array<StructPointer, sizeof...(Parameters)> pointers_;
};

}  // namespace kv::simt
