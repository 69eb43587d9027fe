// Copies of rows that are a pitch apart.

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/host/streams.h"

namespace kv::simt {
namespace {

constexpr std::size_t kRowAlignment = 512;

struct Rows {
  char* memory;
  std::size_t pitch;
};

cudaError_t copy_rows(const Rows& to,
                      const Rows& from,
                      std::size_t width,
                      std::size_t height,
                      cudaMemcpyKind kind,
                      Site site) {
  if (width > to.pitch || width > from.pitch) {
    return device.refuse(cudaErrorInvalidPitchValue, site,
                         "cudaMemcpy2D copies rows of " + std::to_string(width) +
                             " bytes, which is more than a pitch");
  }
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        copy(to.memory + row * to.pitch, from.memory + row * from.pitch, width, kind, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t set_rows(
    const Rows& rows, int value, std::size_t width, std::size_t height, Site site) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = set(rows.memory + row * rows.pitch, value, width, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Rows are only read where they are the source of a copy.
Rows rows_at(const void* memory, std::size_t pitch) {
  return {static_cast<char*>(const_cast<void*>(memory)), pitch};
}

}  // namespace

cudaError_t allocate_rows(void** pointer,
                          std::size_t* pitch,
                          std::size_t width,
                          std::size_t height) {
  *pitch = (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  return allocate(pointer, *pitch * height);
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaMemcpy2D(void* to,
                         std::size_t to_pitch,
                         const void* from,
                         std::size_t from_pitch,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind) {
  return copy_rows(rows_at(to, to_pitch), rows_at(from, from_pitch), width, height, kind,
                   __builtin_return_address(0));
}

cudaError_t cudaMemcpy2DAsync(void* to,
                              std::size_t to_pitch,
                              const void* from,
                              std::size_t from_pitch,
                              std::size_t width,
                              std::size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream) {
  const Site site = __builtin_return_address(0);
  const Work work = [=] {
    return copy_rows(rows_at(to, to_pitch), rows_at(from, from_pitch), width, height, kind, site);
  };
  return submit(stream, work, site);
}

cudaError_t cudaMemset2D(
    void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return set_rows(rows_at(memory, pitch), value, width, height, __builtin_return_address(0));
}

cudaError_t cudaMemset2DAsync(void* memory,
                              std::size_t pitch,
                              int value,
                              std::size_t width,
                              std::size_t height,
                              cudaStream_t stream) {
  const Site site = __builtin_return_address(0);
  const Work work = [=] { return set_rows(rows_at(memory, pitch), value, width, height, site); };
  return submit(stream, work, site);
}
