#include "grader/harness/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t num_news = 0;
}

std::size_t kv::grader::num_allocations() {
  return num_news;
}

#ifndef KV_SANITIZED
void* operator new(std::size_t num_bytes) {
  ++num_news;
  if (void* memory = std::malloc(num_bytes == 0 ? 1 : num_bytes)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t num_bytes, std::align_val_t alignment) {
  ++num_news;
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (num_bytes + align - 1) / align * align;
  if (void* memory = std::aligned_alloc(align, rounded == 0 ? align : rounded)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
#endif
