// What a program asks about kernels, the device and errors, and hints, which change no result.

#include <algorithm>

#include "simt/host_queries.h"
#include "simt/runtime/core/fiber.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {
namespace {

constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kBlocksPerMultiprocessor = 32;
constexpr std::size_t kSharedOfMultiprocessor = kMaxSharedBytes + kReservedSharedBytes;
constexpr std::size_t kSharedUnit = 128;  // a block gets a multiple of this

// The shared memory of the kernel's own variables.
std::size_t static_bytes(const void* function) {
  return program_image().shared_bytes_of(reinterpret_cast<std::uintptr_t>(function));
}

std::size_t max_dynamic_bytes(const void* function) {
  const std::size_t most = device.max_shared_bytes(function);
  return most == kSharedBytes ? most - std::min(most, static_bytes(function)) : most;
}

}  // namespace

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function) {
  device.start();
  *attributes = {};
  attributes->maxThreadsPerBlock = kMaxThreads;
  attributes->sharedSizeBytes = static_bytes(function);
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(max_dynamic_bytes(function));
  attributes->ptxVersion = attributes->binaryVersion = 80;
  return cudaSuccess;
}

cudaError_t blocks_per_multiprocessor(int* blocks,
                                      const void* function,
                                      int block_size,
                                      std::size_t dynamic_bytes) {
  device.start();
  *blocks = 0;
  if (block_size <= 0) return device.set_error(cudaErrorInvalidValue);
  const bool fits =
      block_size <= static_cast<int>(kMaxThreads) && dynamic_bytes <= max_dynamic_bytes(function);
  if (!fits) return cudaSuccess;
  const int num_warps = (block_size + 31) / 32;
  const std::size_t bytes = static_bytes(function) + dynamic_bytes + kReservedSharedBytes;
  const std::size_t num_units = (bytes + kSharedUnit - 1) / kSharedUnit;
  const auto by_shared = static_cast<int>(kSharedOfMultiprocessor / (num_units * kSharedUnit));
  *blocks =
      std::min({kBlocksPerMultiprocessor, kThreadsPerMultiprocessor / (32 * num_warps), by_shared});
  return cudaSuccess;
}

cudaError_t shared_bytes_of_each(std::size_t* bytes,
                                 const void* function,
                                 int num_blocks,
                                 int block_size) {
  int most = 0;
  const cudaError_t error = blocks_per_multiprocessor(&most, function, block_size, 0);
  if (error != cudaSuccess) return error;
  if (num_blocks < 1 || num_blocks > most) return device.set_error(cudaErrorInvalidValue);
  const std::size_t of_each = kSharedOfMultiprocessor / static_cast<std::size_t>(num_blocks);
  const std::size_t left =
      of_each / kSharedUnit * kSharedUnit - kReservedSharedBytes - static_bytes(function);
  *bytes = std::min(left, max_dynamic_bytes(function));
  return cudaSuccess;
}

// The names and texts of errors.
namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define KV_SIMT_ERROR(name, number, text) {name, #name, text},
constexpr ErrorText kErrorTexts[] = {
#include "simt/errors.h"
};

constexpr ErrorText kUnrecognized{cudaErrorUnknown, "unrecognized error code",
                                  "unrecognized error code"};

const ErrorText& error_text(cudaError_t error) {
  for (const ErrorText& text : kErrorTexts) {
    if (text.error == error) return text;
  }
  return kUnrecognized;
}

}  // namespace

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  constexpr std::size_t kPrintfBytes = 1 << 20;
  *value = limit == cudaLimitStackSize        ? kStackBytes
           : limit == cudaLimitPrintfFifoSize ? kPrintfBytes
                                              : 0;
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned) {
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int, int) {
  *can_access = 0;
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) {
  *number = 0;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  return device.take_error();
}
cudaError_t cudaPeekAtLastError() {
  return device.last_error();
}
const char* cudaGetErrorName(cudaError_t error) {
  return kv::simt::error_text(error).name;
}
const char* cudaGetErrorString(cudaError_t error) {
  return kv::simt::error_text(error).text;
}
