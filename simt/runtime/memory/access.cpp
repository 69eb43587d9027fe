#include "simt/runtime/memory/access.h"

#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/elsewhere.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {

void check_access(std::uintptr_t address, unsigned bytes, Access kind, Site site) {
  const MemoryAccess access{address, bytes, kind, site, sites.number_of(site)};
  if (arena.contains(address)) {
    access_global(access);
  } else if (shared_memory.contains(address)) {
    access_shared(access);
  } else {
    access_elsewhere(access);
  }
}

std::string text(const MemoryAccess& access) {
  const char* const verb = access.kind == Access::kRead    ? "reads "
                           : access.kind == Access::kWrite ? "writes "
                                                           : "updates ";
  return verb + std::to_string(access.bytes) + (access.bytes == 1 ? " byte" : " bytes");
}

std::string who_does(const MemoryAccess& access) {
  return name_of(self()) + " " + text(access);
}

Note note_of(const Stamp& earlier, const std::string& what) {
  // The index is computed: of an earlier block only numbers are known.
  const dim3& size = machine.shape.block;
  const unsigned number = earlier.thread;
  const uint3 index{number % size.x, number / size.x % size.y, number / size.x / size.y};
  std::string who = "thread " + text(index);
  if (earlier.block != machine.block_number) who += " of another block";
  return {who + " " + what, sites.site(earlier.site)};
}

}  // namespace kv::simt
