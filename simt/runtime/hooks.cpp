// The functions that -fsanitize=thread calls before each access to memory, in place of the
// sanitizer's own runtime. The return address is the place in the program.

#include "simt/runtime/hooks.h"

#include <algorithm>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/async_copies.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/memory/stream_order.h"
#include "simt/runtime/memory/variables.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

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

// A quick access is noted as check_access does it.
[[gnu::always_inline]] inline void note_quick(std::uintptr_t address, Access kind, Site site) {
  Thread& me = self();
  me.last_access = address;
  progress.add_work(work_of(kind));
  if (kind != Access::kRead) return;
  me.last_read = reinterpret_cast<const void*>(address);
  me.last_read_site = site;
}

// Whether a write waits to be settled before this access: no quick one does that.
bool has_to_settle() {
  return has_held_writes && !machine.is_in_range;
}

// Why not inlined: without a call in it, the way of a quick read needs no stack.
[[gnu::noinline]] void count_quick_read(std::uintptr_t address, unsigned bytes, Site site) {
  profile.note_global({address, bytes, Access::kRead, site, sites.number_of(site)});
}

// A read of memory that no thread of this launch writes: most reads are of this kind, and this is
// all that check_access does for them.
[[gnu::always_inline]] inline bool is_quick_read(std::uintptr_t address,
                                                 unsigned bytes,
                                                 Access kind,
                                                 Site site) {
  const bool may_be = kind == Access::kRead && arena.contains(address) && !machine.is_volatile &&
                      !stream_order.is_needed() && !has_to_settle();
  if (!may_be || !arena.is_ready(arena.offset(address), bytes, machine.launch_number)) return false;
  note_quick(address, kind, site);
  if (machine.options.has_profile) count_quick_read(address, bytes, site);
  return true;
}

// An access to whole words of shared memory in which nothing can be wrong: most are of this kind.
[[gnu::always_inline]] inline bool is_quick_in_shared(std::uintptr_t address,
                                                      unsigned bytes,
                                                      Access kind,
                                                      Site site) {
  const bool is_write = kind == Access::kWrite;
  const bool may_be = (is_write || kind == Access::kRead) && shared_memory.contains(address) &&
                      !has_to_settle() && !async_copies.has_any();
  const std::uint16_t number = sites.own_number_of(site);
  if (!may_be || number == 0 || !is_plain_in_words(address, bytes, is_write, number)) return false;
  note_quick(address, kind, site);
  if (machine.is_counting) profile.count_shared({address, bytes, kind, site, number});
  if (is_write) progress.will_write(address, bytes);
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

// Why the second comparison: host code has many accesses, and few are of these.
[[gnu::noinline]] void access_by_host(std::uintptr_t address,
                                      unsigned bytes,
                                      Access kind,
                                      Site site) {
  const bool is_checked =
      arena.contains(address) || may_be_of_device(address) || device.has_pending_copies();
  if (machine.current == nullptr && is_checked) check_host_access(address, bytes, kind, site);
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
  if (!machine.is_checking) return access_by_host(address, bytes, kind, site);
  const bool is_quick =
      is_quick_read(address, bytes, kind, site) || is_quick_in_shared(address, bytes, kind, site);
  if (!is_quick) check_access(address, bytes, kind, site);
}

// Why not inlined: reads of device memory have to be short.
template <unsigned bytes, Access kind>
[[gnu::noinline]] static void access_slowly(std::uintptr_t address, Site site) {
  if (!is_quick_in_shared(address, bytes, kind, site)) check_access(address, bytes, kind, site);
}

// The same as access(). Why a template: for each hook the width and the kind are constants.
template <unsigned bytes, Access kind>
static void access_of(const void* pointer, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - machine.stack_bottom < kStackBytes || is_other_thread()) return;
  if (!machine.is_checking) return access_by_host(address, bytes, kind, site);
  if (!is_quick_read(address, bytes, kind, site)) access_slowly<bytes, kind>(address, site);
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
#define KV_SIMT_ACCESS(name, bytes, kind)                                      \
  void __tsan_##name(const void* address) {                                    \
    kv::simt::access_of<bytes, kv::simt::Access::kind>(address, KV_SIMT_HERE); \
  }
// A compound access, such as +=, is a read and then a write.
#define KV_SIMT_COMPOUND(name, bytes)                                            \
  void __tsan_##name(const void* address) {                                      \
    kv::simt::access_of<bytes, kv::simt::Access::kRead>(address, KV_SIMT_HERE);  \
    kv::simt::access_of<bytes, kv::simt::Access::kWrite>(address, KV_SIMT_HERE); \
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

extern "C" {
void __tsan_init() {}
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
}
