// Accesses of host code to what is the device's.

#include "simt/runtime/core/machine.h"
#include "simt/runtime/hooks.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/variables.h"

namespace kv::simt {
namespace {

void report_on_host(Kind kind, Site site, const std::string& what, std::vector<Note> notes = {}) {
  findings.add(
      {.kind = kind, .site = site, .what = "host code " + what, .notes = std::move(notes)});
}

// Host code accesses device memory.
void check_host_access_to_arena(std::size_t offset, unsigned bytes, Access kind, Site site) {
  const Allocation* const allocation = arena.owner(offset);
  const std::string verb = kind == Access::kRead ? "reads" : "writes";
  if (allocation == nullptr || !allocation->is_managed) {
    return report_on_host(Kind::kDevicePointerOnHost, site,
                          verb + " through a pointer to device memory");
  }
  if (!device.is_synchronized_with(arena.page(offset).written_in)) {
    const std::string memory = allocation->is_pinned ? " mapped memory" : " managed memory";
    report_on_host(Kind::kNotSynchronized, site,
                   verb + memory + " that a kernel writes, without waiting for the kernel",
                   {{"the last launch is here", machine.launch_site}});
  }
  if (kind != Access::kRead) arena.set_initialized(offset, bytes);
}

}  // namespace

void check_host_access(std::uintptr_t address, unsigned bytes, Access kind, Site site) {
  if (const Site copy = device.pending_copy_at(address)) {
    return report_on_host(Kind::kNotSynchronized, site,
                          "uses memory before an asynchronous copy to it is done",
                          {{"the copy is here", copy}});
  }
  if (arena.contains(address)) {
    return check_host_access_to_arena(arena.offset(address), bytes, kind, site);
  }
  if (variables().owner(address) != Owner::kNone) {
    const std::string verb = kind == Access::kRead ? "reads " : "writes ";
    return report_on_host(Kind::kDeviceVariableOnHost, site,
                          verb + variables().name_at(address) + " of the device");
  }
}

}  // namespace kv::simt
