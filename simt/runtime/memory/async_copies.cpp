#include "simt/runtime/memory/async_copies.h"

#include <cstring>

#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {

__attribute__((init_priority(102))) AsyncCopies async_copies;

void AsyncCopy::finish() const {
  std::memcpy(to, from, bytes - num_zeros);
  std::memset(to + bytes - num_zeros, 0, num_zeros);
}

void AsyncCopies::begin_block() {
  if (block_ == machine.block_number) return;
  block_ = machine.block_number;
  copies_.clear();
  num_closed_ = {};
}

void AsyncCopies::add(AsyncCopy copy) {
  begin_block();
  copy.thread = self().number;
  copy.batch = num_closed_[copy.thread];
  copies_.emplace(reinterpret_cast<std::uintptr_t>(copy.to), copy);
}

void AsyncCopies::close_batch() {
  begin_block();
  ++num_closed_[self().number];
}

// A piece that contains the address begins at most kMaxPieceBytes - 1 before it.
const AsyncCopy* AsyncCopies::find(std::uintptr_t address, unsigned bytes) const {
  for (auto entry = copies_.lower_bound(address - kMaxPieceBytes + 1);
       entry != copies_.end() && entry->first < address + bytes; ++entry) {
    if (entry->first + entry->second.bytes > address) return &entry->second;
  }
  return nullptr;
}

bool is_unfinished(const MemoryAccess& access) {
  if (!async_copies.has_any()) return false;
  const AsyncCopy* const copy = async_copies.find(access.address, access.bytes);
  if (copy == nullptr) return false;
  const PauseChecks pause;
  const std::string who =
      copy->thread == self().number ? "it" : name_of(machine.threads[copy->thread]);
  Finding finding = finding_of(Kind::kUnfinishedCopy, access, "shared",
                               " at " + shared_memory.name_at(access.address) +
                                   ", before a wait for the asynchronous copy that writes there");
  finding.notes = {{who + " starts the copy here", copy->site}};
  findings.add(std::move(finding));
  return true;
}

}  // namespace kv::simt
