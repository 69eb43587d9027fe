#include "simt/runtime/core/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "simt/runtime/core/map_memory.h"

#if defined(KV_SIMT_UCONTEXT) || (!defined(__x86_64__) && !defined(__aarch64__))
#include <ucontext.h>

#include <new>
#endif

namespace kv::simt {

#if defined(__x86_64__) && !defined(KV_SIMT_UCONTEXT)

asm(R"(
    .text
    .globl kv_simt_switch
    .type kv_simt_switch, @function
kv_simt_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size kv_simt_switch, .-kv_simt_switch
)");

// Six registers, the address that `ret` goes to, and a zero that ends a walk over the stack.
Fiber new_fiber(std::byte* top, void (*entry)()) {
  std::uintptr_t frame[8] = {};
  frame[6] = reinterpret_cast<std::uintptr_t>(entry);
  std::byte* const stack_pointer = top - sizeof frame;
  std::memcpy(stack_pointer, frame, sizeof frame);
  return stack_pointer;
}

#elif defined(__aarch64__) && !defined(KV_SIMT_UCONTEXT)

asm(R"(
    .text
    .globl kv_simt_switch
kv_simt_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
)");

// Register 30, the twelfth, holds the address that `ret` goes to.
Fiber new_fiber(std::byte* top, void (*entry)()) {
  std::uintptr_t frame[20] = {};
  frame[11] = reinterpret_cast<std::uintptr_t>(entry);
  std::byte* const stack_pointer = top - sizeof frame;
  std::memcpy(stack_pointer, frame, sizeof frame);
  return stack_pointer;
}

#else

// POSIX, on any other processor: forty times slower, because each switch asks the operating system
// about signals.
extern "C" void kv_simt_switch(Fiber* sleeping, Fiber waking) {
  ucontext_t mine;
  *sleeping = &mine;
  swapcontext(&mine, static_cast<ucontext_t*>(waking));
}

Fiber new_fiber(std::byte* top, void (*entry)()) {
  constexpr std::size_t kUsable = 48 * 1024;  // bytes of the stack below the context
  std::byte* const place = top - (sizeof(ucontext_t) + 63) / 64 * 64;
  auto* const context = new (place) ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = place - kUsable;
  context->uc_stack.ss_size = kUsable;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

#endif

Stacks::Stacks(unsigned num_threads)
    : bytes_(num_threads * (kGuardBytes + kStackBytes)),
      memory_(reinterpret_cast<std::uintptr_t>(map_memory(bytes_))) {}

void Stacks::guard(unsigned num_threads) {
  for (; num_guarded_ < num_threads; ++num_guarded_) {
    void* const page = reinterpret_cast<void*>(bottom(num_guarded_) - kGuardBytes);
    mprotect(page, kGuardBytes, PROT_NONE);
  }
}

void Stacks::release() const {
  munmap(reinterpret_cast<void*>(memory_), bytes_);
}

}  // namespace kv::simt
