#pragma once
// What device code can say and simt does not have. These functions are declared and never defined:
// a program that would run one does not link, and simt/cli/simt_build.h makes
// a sentence of that. Code that nothing calls does no harm.

#include <cstddef>

namespace kv::simt::not_here {

void inline_ptx();
void* malloc(std::size_t bytes);
void free(void* memory);
struct Heap {};
inline constexpr Heap kHeap;

}  // namespace kv::simt::not_here

void* operator new(std::size_t bytes, kv::simt::not_here::Heap);
void* operator new[](std::size_t bytes, kv::simt::not_here::Heap);

// The rewriter writes these in place of asm, malloc, free and new.
#define KV_SIMT_ASM(...) ::kv::simt::not_here::inline_ptx()
#define KV_SIMT_malloc ::kv::simt::not_here::malloc
#define KV_SIMT_free ::kv::simt::not_here::free
#define KV_SIMT_HEAP ::kv::simt::not_here::kHeap
