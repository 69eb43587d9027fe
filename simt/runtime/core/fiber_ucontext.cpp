// The same on any other processor, with POSIX: forty times slower, for each switch asks the kernel
// about signals.

#include "simt/runtime/core/fiber.h"

#if defined(KV_SIMT_UCONTEXT) || (!defined(__x86_64__) && !defined(__aarch64__))

#include <ucontext.h>

#include <new>

namespace kv::simt {

extern "C" void kv_simt_switch(Fiber* sleeping, Fiber waking) {
  ucontext_t mine;
  *sleeping = &mine;
  swapcontext(&mine, static_cast<ucontext_t*>(waking));
}

Fiber new_fiber(std::byte* top, void (*entry)()) {
  constexpr std::size_t kUsable = 48 * 1024;  // of the stack, below the context
  std::byte* const place = top - (sizeof(ucontext_t) + 63) / 64 * 64;
  auto* const context = new (place) ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = place - kUsable;
  context->uc_stack.ss_size = kUsable;
  context->uc_link = nullptr;
  makecontext(context, entry, 0);
  return context;
}

}  // namespace kv::simt

#endif
