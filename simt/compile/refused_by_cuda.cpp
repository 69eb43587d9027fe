#include "simt/compile/refused_by_cuda.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

namespace kv::simt {
namespace {

struct Removed {
  std::string_view name;
  const char* instead;
};

constexpr std::array kRemovedIn13 = {
    Removed{"clockRate", "ask cudaDeviceGetAttribute for cudaDevAttrClockRate"},
    Removed{"memoryClockRate", "ask cudaDeviceGetAttribute for cudaDevAttrMemoryClockRate"},
    Removed{"computeMode", "ask cudaDeviceGetAttribute for cudaDevAttrComputeMode"},
    Removed{"kernelExecTimeoutEnabled",
            "ask cudaDeviceGetAttribute for cudaDevAttrKernelExecTimeout"},
    Removed{"singleToDoublePrecisionPerfRatio",
            "ask cudaDeviceGetAttribute for cudaDevAttrSingleToDoublePrecisionPerfRatio"},
    Removed{"cooperativeMultiDeviceLaunch", "read cooperativeLaunch"},
    Removed{"deviceOverlap", "read asyncEngineCount"},
    Removed{"cudaThreadSynchronize", "call cudaDeviceSynchronize"},
    Removed{"cudaThreadExit", "call cudaDeviceReset"},
    Removed{"cudaMemPrefetchAsync",
            "give {cudaMemLocationTypeDevice, 0} in place of the device, then 0, then the stream"},
    Removed{"cudaMemAdvise", "give {cudaMemLocationTypeDevice, 0} in place of the device"},
};

struct Typed {
  const char* names;
  const char* types;
};

constexpr std::array kTyped = {
    Typed{"atomicAdd",
          "int, unsigned, unsigned long long (cast a size_t*), float, double and halves"},
    Typed{"atomicSub", "int and unsigned"},
    Typed{"atomicExch", "int, unsigned, unsigned long long (cast a size_t*) and float"},
    Typed{"atomic(Min|Max|And|Or|Xor)",
          "int, unsigned, long long and unsigned long long (cast a size_t*)"},
    Typed{"atomic(Inc|Dec)", "unsigned"},
    Typed{"atomicCAS", "int, unsigned, unsigned long long and unsigned short"},
    Typed{"__(shfl|shfl_up|shfl_down|shfl_xor)_sync",
          "int, unsigned, long, long long, float, double and halves"},
    Typed{"__match_(any|all)_sync", "int, unsigned, long, long long, float and double"},
    Typed{"__reduce_\\w+_sync", "int and unsigned, the bits of unsigned alone"},
};

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_of_a_call(const std::string& error) {
  return says(error, "no matching function") || says(error, "ambiguous") ||
         says(error, "could not convert") || says(error, "invalid conversion") ||
         says(error, "too few arguments") || says(error, "too many arguments");
}

std::string of_another_type(const std::string& name) {
  static const std::regex ending("_block|_system");
  const std::string plain = std::regex_replace(name, ending, "");
  const auto typed = std::ranges::find_if(
      kTyped, [&](const Typed& each) { return std::regex_match(plain, std::regex(each.names)); });
  if (typed == kTyped.end()) return "";
  return "CUDA has " + name + " for " + typed->types + ", and not for these arguments";
}

std::string removed(const std::string& name) {
  const auto found = std::ranges::find(kRemovedIn13, name, &Removed::name);
  if (found == kRemovedIn13.end()) return "";
  return "CUDA 13 has no " + name + " as CUDA 12 had it: " + found->instead +
         "; with --cuda 12 the old form compiles";
}

// What static_assert says in simt's headers.
std::string told_by_header(const std::string& error) {
  constexpr std::string_view kMark = "CUDA: ";
  const std::size_t at = error.find(kMark);
  if (at == std::string::npos) return "";
  return "nvcc refuses this: " + error.substr(at + kMark.size(), error.find('"', at) - at - 6);
}

}  // namespace

std::string refused_by_cuda(const std::string& error, const std::string& name, bool is_cuda_13) {
  constexpr std::string_view kShared = "kv_simt_shared_";
  if (const std::string told = told_by_header(error); !told.empty()) return told;
  if (const std::size_t at = error.find(kShared); at != std::string::npos) {
    const std::string array = error.substr(at + kShared.size());
    return "nvcc refuses this: the extern __shared__ array '" +
           array.substr(0, array.find_first_of(" '[\xe2")) +
           "' has two types in one file; give each its own name";
  }
  if (name == "__CUDA_ARCH__") {
    return "nvcc refuses this: its pass for the host has no __CUDA_ARCH__; write the line under "
           "#ifdef __CUDA_ARCH__";
  }
  if (is_of_a_call(error)) {
    if (const std::string typed = of_another_type(name); !typed.empty()) return typed;
  }
  const bool is_about_it = says(error, name) || is_of_a_call(error);
  return is_cuda_13 && is_about_it ? removed(name) : "";
}

}  // namespace kv::simt
