// The functions that -fsanitize=thread calls before each access to memory, in place of the
// sanitizer's own runtime. The return address is the place in the program.

#include "simt/runtime/hooks.h"

#include <algorithm>
#include <utility>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/memory/stream_order.h"
#include "simt/runtime/memory/variables.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

// A thread that has not looked at memory waits for no other: it goes on. One that saw nothing new
// may be waiting: its next turn is short.
void end_turn(Thread& me) {
  {
    const PauseChecks pause;
    const bool is_news = progress.look_at(me);
    hang_watch.turn_ended(me);
    if (progress.has_to_end() || hang_watch.is_asked()) hang_watch.begin();
    me.turn_end = me.steps + (is_news || hang_watch.is_on() ? kTurn : kShortTurn);
  }
  if (!machine.is_lockstep && !hang_watch.is_on()) me.next_look = me.turn_end;
  if (hang_watch.is_on() && hang_watch.has_seen_all()) hang_watch.abandon();
  const bool has_looked = std::exchange(me.last_access, 0) != 0;
  if (has_looked || hang_watch.is_on()) yield_to_others();
}

// In lockstep after each basic block, otherwise after each turn. Why not inlined: the code that
// runs before each basic block has to be short.
[[gnu::noinline]] void take_turns(Thread& me) {
  if (hang_watch.is_on()) {
    const PauseChecks pause;
    hang_watch.see(me, __builtin_frame_address(0));
  }
  if (machine.is_lockstep) end_step();
  const bool has_to_watch = hang_watch.is_asked() && !hang_watch.is_on();
  if (me.steps >= me.turn_end || has_to_watch) end_turn(me);
}

std::uint64_t work_of(Access kind) {
  return kind == Access::kRead ? kReadWork : kind == Access::kWrite ? kWriteWork : kAtomicWork;
}

// An atomicCAS may follow, see held_races.h.
void remember_read(const MemoryAccess& access) {
  if (access.kind != Access::kRead) return;
  self().last_read = reinterpret_cast<const void*>(access.address);
  self().last_read_site = access.site;
}

// Whose access it is, as a number: a library's code does what the line that calls it asks for. Why
// not the outermost call: simt makes that one, of the kernel.
std::uint16_t number_of_line(Site site) {
  std::uint16_t number = sites.number_of(site);
  const auto& calls = machine.calls[self().number];
  for (unsigned i = std::min(self().depth, kMaxCalls); i > 1 && sites.is_in_library(number); --i)
    number = sites.number_of(calls[i - 1]);
  return number;
}

// Checks one access of a kernel, of at most 16 bytes, and counts it for the profile. Why not
// inlined: most accesses go to the thread's own stack, and the code for these has to be short.
[[gnu::noinline]] void check_access(std::uintptr_t address,
                                    unsigned bytes,
                                    Access kind,
                                    Site site) {
  if (!machine.is_in_range) settle_writes();
  const std::uint16_t number = number_of_line(site);
  const MemoryAccess access{address, bytes, kind, sites.site(number), number, machine.is_volatile};
  const bool has_profile = machine.options.has_profile;
  self().last_access = address;
  progress.add_work(work_of(kind));
  if (arena.contains(address)) {
    remember_read(access);
    access_global(access);
    if (has_profile) profile.note_global(access);
  } else if (shared_memory.contains(address)) {
    remember_read(access);
    if (!is_plain_in_shared(access)) {
      if (shared_memory.is_guard(address)) return;
      access_shared(access);
    }
    if (machine.is_counting) profile.count_shared(access);
  } else {
    access_other(access);
  }
  if (access.writes()) progress.will_write(address, bytes);
}

// A read of memory that no thread of this launch writes: most reads are of this kind, and this is
// all that check_access does for them.
bool is_quick_read(std::uintptr_t address, unsigned bytes, Access kind, Site site) {
  const std::size_t offset = arena.offset(address);
  const bool is_quick = kind == Access::kRead && arena.contains(address) && !machine.is_volatile &&
                        !stream_order.is_needed() &&
                        arena.is_ready(offset, bytes, machine.launch_number);
  if (!is_quick) return false;
  if (!machine.is_in_range) settle_writes();
  Thread& me = self();
  me.last_access = address;
  me.last_read = reinterpret_cast<const void*>(address);
  me.last_read_site = site;
  progress.add_work(kReadWork);
  if (machine.options.has_profile)
    profile.note_global({address, bytes, kind, site, sites.number_of(site)});
  return true;
}

// The widest piece of an access to this many bytes: the alignment of the kernel's struct of that
// size.
unsigned widest_piece(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t kWidest = 16;
  if (!arena.contains(address)) return kWidest;
  const Allocation* const allocation = arena.owner(arena.offset(address));
  for (std::size_t i = 0; i < machine.call->num_pointers; ++i) {
    const StructPointer& pointer = machine.call->pointers[i];
    const auto first = reinterpret_cast<std::uintptr_t>(pointer.address);
    const bool is_it = pointer.bytes == bytes && arena.contains(first) &&
                       arena.owner(arena.offset(first)) == allocation;
    if (is_it) return static_cast<unsigned>(std::min(kWidest, pointer.alignment));
  }
  return kWidest;
}

// Why first: host code has many accesses, and few are of these.
bool is_host_access_checked(std::uintptr_t address) {
  return arena.contains(address) || may_be_of_device(address) || device.has_pending_copies();
}

// A struct of this size is read.
bool copies_padding(std::uintptr_t address, std::size_t bytes) {
  if (!machine.is_checking) return false;
  const PauseChecks pause;
  if (arena.contains(address)) {
    return is_padding_in_global(address, bytes);
  }
  return shared_memory.contains(address) && is_padding_in_shared(address, bytes);
}

}  // namespace

void access(const void* pointer, unsigned bytes, Access kind, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - machine.stack_bottom < kStackBytes || is_other_thread()) return;
  if (machine.is_checking) {
    if (!is_quick_read(address, bytes, kind, site)) check_access(address, bytes, kind, site);
  } else if (machine.current == nullptr && is_host_access_checked(address)) {
    check_host_access(address, bytes, kind, site);
  }
}

static void access_volatile(const void* pointer, unsigned bytes, Access kind, Site site) {
  if (is_other_thread()) return;
  machine.is_volatile = true;
  access_range(pointer, bytes, kind, site);
  machine.is_volatile = false;
}

// g++ makes one call of 16 bytes for a struct with an alignment of 8, too.
static void access_16(const void* pointer, Access kind, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const bool is_in_pieces = machine.is_checking && widest_piece(address, 16) < 16;
  is_in_pieces ? access_range(pointer, 16, kind, site) : access(pointer, 16, kind, site);
}

void access_range(const void* pointer, std::size_t bytes, Access kind, Site site) {
  if (is_other_thread()) return;
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  machine.is_copying_padding = kind == Access::kRead && copies_padding(address, bytes);
  if (machine.is_checking) settle_writes();
  machine.is_in_range = true;
  const unsigned widest = machine.is_checking ? widest_piece(address, bytes) : 16;
  while (bytes > 0) {
    unsigned piece = widest;
    while (piece > bytes || address % piece != 0) piece /= 2;
    access(reinterpret_cast<const void*>(address), piece, kind, site);
    address += piece;
    bytes -= piece;
  }
  machine.is_in_range = machine.is_copying_padding = false;
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
#define KV_SIMT_VOLATILE(name, bytes, kind)                                          \
  void __tsan_##name(const void* address) {                                          \
    kv::simt::access_volatile(address, bytes, kv::simt::Access::kind, KV_SIMT_HERE); \
  }
#define KV_SIMT_VOLATILES(bytes)                                 \
  KV_SIMT_VOLATILE(volatile_read##bytes, bytes, kRead)           \
  KV_SIMT_VOLATILE(volatile_write##bytes, bytes, kWrite)         \
  KV_SIMT_VOLATILE(unaligned_volatile_read##bytes, bytes, kRead) \
  KV_SIMT_VOLATILE(unaligned_volatile_write##bytes, bytes, kWrite)
#define KV_SIMT_ACCESSES(bytes)               \
  KV_SIMT_ACCESS(read##bytes, bytes, kRead)   \
  KV_SIMT_ACCESS(write##bytes, bytes, kWrite) \
  KV_SIMT_COMPOUND(read_write##bytes, bytes)
#define KV_SIMT_16_BYTES(name, kind)                                    \
  void __tsan_##name(const void* address) {                             \
    kv::simt::access_16(address, kv::simt::Access::kind, KV_SIMT_HERE); \
  }
// The type's alignment is less than its size, so the access is checked in pieces.
#define KV_SIMT_IN_PIECES(name, bytes, kind)                                      \
  void __tsan_##name(const void* address) {                                       \
    kv::simt::access_range(address, bytes, kv::simt::Access::kind, KV_SIMT_HERE); \
  }
#define KV_SIMT_UNALIGNED(bytes)                           \
  KV_SIMT_IN_PIECES(unaligned_read##bytes, bytes, kRead)   \
  KV_SIMT_IN_PIECES(unaligned_write##bytes, bytes, kWrite) \
  KV_SIMT_COMPOUND(unaligned_read_write##bytes, bytes)

static bool is_in_kernel() {
  return kv::simt::machine.is_checking && !kv::simt::is_other_thread();
}

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void* caller) {
  if (is_in_kernel()) {
    kv::simt::Thread& me = kv::simt::self();
    if (me.depth < kv::simt::kMaxCalls) kv::simt::machine.calls[me.number][me.depth] = caller;
    ++me.depth;
  } else {
    kv::simt::check_host_enters(KV_SIMT_HERE, caller);
  }
}
void __tsan_func_exit() {
  if (is_in_kernel()) --kv::simt::self().depth;
}
KV_SIMT_ACCESSES(1)
KV_SIMT_ACCESSES(2)
KV_SIMT_ACCESSES(4)
KV_SIMT_ACCESSES(8)
KV_SIMT_16_BYTES(read16, kRead)
KV_SIMT_16_BYTES(write16, kWrite)
KV_SIMT_COMPOUND(read_write16, 16)
KV_SIMT_VOLATILES(1)
KV_SIMT_VOLATILES(2)
KV_SIMT_VOLATILES(4)
KV_SIMT_VOLATILES(8)
KV_SIMT_VOLATILES(16)
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

// Called before each basic block, by -fsanitize-coverage=trace-pc.
void __sanitizer_cov_trace_pc() {
  if (!is_in_kernel()) return;
  kv::simt::Thread& me = kv::simt::self();
  me.step = KV_SIMT_HERE;
  if (++me.steps >= me.next_look) kv::simt::take_turns(me);
}
}
