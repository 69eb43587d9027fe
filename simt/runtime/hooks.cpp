// What -fsanitize=thread calls before each access to memory. We bring these functions instead of
// the sanitizer's own runtime. The return address is the place in the program.

#include "simt/runtime/hooks.h"

#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {
namespace {

constexpr std::uint64_t kTurn = 4096;  // basic blocks before a thread that never waits makes room

void check_budget(const Thread& me) {
  const std::uint64_t spent = me.steps - me.steps_when_waiting;
  if (spent < machine.options.budget) return;
  const Unwatched unwatched;
  fail(cudaErrorLaunchFailure,
       {.kind = Kind::kSpin,
        .site = me.step,
        .what = name_of(me) + " went through " + std::to_string(spent) +
                " basic blocks without waiting for anyone, and is still here"});
}

// In lockstep after each basic block, otherwise now and then. Never inlined: what comes before each
// basic block has to be short.
[[gnu::noinline]] void take_turns(Thread& me) {
  if (machine.options.is_lockstep) sleep();
  if (me.steps % kTurn != 0) return;
  me.next_turn = machine.options.is_lockstep ? 0 : me.steps + kTurn;
  check_budget(me);
  let_others_go();
}

}  // namespace

void access(const void* pointer, unsigned bytes, Access kind, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - machine.stack_bottom < kStackBytes) return;
  if (machine.is_watching) {
    check_access(address, bytes, kind, site);
  } else if (machine.current == nullptr && arena.contains(address)) {
    host_access(address, bytes, kind, site);
  }
}

void access_range(const void* pointer, std::size_t bytes, Access kind, Site site) {
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  while (bytes > 0) {
    unsigned piece = 16;
    while (piece > bytes || address % piece != 0) piece /= 2;
    access(reinterpret_cast<const void*>(address), piece, kind, site);
    address += piece;
    bytes -= piece;
  }
}

}  // namespace kv::simt

#define KV_SIMT_HERE __builtin_return_address(0)
#define KV_SIMT_ACCESS(name, bytes, kind)                                   \
  void __tsan_##name(const void* address) {                                 \
    kv::simt::access(address, bytes, kv::simt::Access::kind, KV_SIMT_HERE); \
  }
// A compound access, such as +=, is a read and then a write.
#define KV_SIMT_COMPOUND(name, bytes)                                         \
  void __tsan_##name(const void* address) {                                   \
    kv::simt::access(address, bytes, kv::simt::Access::kRead, KV_SIMT_HERE);  \
    kv::simt::access(address, bytes, kv::simt::Access::kWrite, KV_SIMT_HERE); \
  }
#define KV_SIMT_ACCESSES(bytes)               \
  KV_SIMT_ACCESS(read##bytes, bytes, kRead)   \
  KV_SIMT_ACCESS(write##bytes, bytes, kWrite) \
  KV_SIMT_COMPOUND(read_write##bytes, bytes)
#define KV_SIMT_UNALIGNED(bytes)                        \
  KV_SIMT_ACCESS(unaligned_read##bytes, bytes, kRead)   \
  KV_SIMT_ACCESS(unaligned_write##bytes, bytes, kWrite) \
  KV_SIMT_COMPOUND(unaligned_read_write##bytes, bytes)

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {
  if (kv::simt::machine.is_watching) ++kv::simt::self().depth;
}
void __tsan_func_exit() {
  if (kv::simt::machine.is_watching) --kv::simt::self().depth;
}
KV_SIMT_ACCESSES(1)
KV_SIMT_ACCESSES(2)
KV_SIMT_ACCESSES(4)
KV_SIMT_ACCESSES(8)
KV_SIMT_ACCESSES(16)
KV_SIMT_UNALIGNED(2)
KV_SIMT_UNALIGNED(4)
KV_SIMT_UNALIGNED(8)
KV_SIMT_UNALIGNED(16)
void __tsan_read_range(const void* address, std::size_t bytes) {
  kv::simt::access_range(address, bytes, kv::simt::Access::kRead, KV_SIMT_HERE);
}
void __tsan_write_range(const void* address, std::size_t bytes) {
  kv::simt::access_range(address, bytes, kv::simt::Access::kWrite, KV_SIMT_HERE);
}
void __tsan_vptr_read(const void*) {}
void __tsan_vptr_update(const void*, const void*) {}

// Before each basic block, from -fsanitize-coverage=trace-pc.
void __sanitizer_cov_trace_pc() {
  if (!kv::simt::machine.is_watching) return;
  kv::simt::Thread& me = kv::simt::self();
  me.step = KV_SIMT_HERE;
  if (++me.steps >= me.next_turn) kv::simt::take_turns(me);
}
}
