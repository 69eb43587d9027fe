#include "simt/runtime/core/progress.h"

#include <cstring>

#include "simt/runtime/core/machine.h"

namespace kv::simt {
namespace {

// Budgets, as multiples of the one without any progress. A loop around a barrier passes it forever,
// a loop that counts in memory always finds new contents; neither lets a thread end.
constexpr std::uint64_t kBudgetsWithBarriers = 2;
constexpr std::uint64_t kBudgetsWithoutEnd = 2;

constexpr std::size_t kMaxSeen = 1 << 18;

std::uint64_t digest(std::uint64_t a, std::uint64_t b) {
  std::uint64_t mixed = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  mixed ^= mixed >> 32;
  return mixed * 0xc4ceb9fe1a85ec53u;
}

}  // namespace

__attribute__((init_priority(102))) Progress progress;

void Progress::begin_launch() {
  last_write_ = {};
  memory_ = 0;
  barrier_opened();
  thread_ended();
}

void Progress::thread_ended() {
  work_at_end_ = work_at_news_ = work_;
  ++num_events_;
  if (!seen_.empty()) seen_.clear();
}

void Progress::barrier_opened() {
  work_at_barrier_ = work_;
}

Progress::Contents Progress::contents_of(const Write& write) {
  Contents contents = {};
  std::memcpy(contents.data(), reinterpret_cast<const void*>(write.address), write.num_bytes);
  return contents;
}

// Why an exclusive or: memory that changes back gets its old digest again.
void Progress::compare_last_write() {
  const Contents after = contents_of(last_write_);
  for (unsigned i = 0; i < after.size(); ++i) {
    const std::uint64_t before = last_write_.before[i];
    if (before == after[i]) continue;
    const std::uint64_t place = last_write_.address + i;
    memory_ ^= digest(before, place) ^ digest(after[i], place);
  }
}

void Progress::will_write(std::uintptr_t address, unsigned num_bytes) {
  compare_last_write();
  last_write_ = {address, num_bytes, {}};
  last_write_.before = contents_of(last_write_);
}

bool Progress::look_at(Thread& thread) {
  work_ += thread.steps - thread.steps_looked_at;
  thread.steps_looked_at = thread.steps;
  compare_last_write();
  last_write_.before = contents_of(last_write_);
  if (seen_.size() == kMaxSeen) seen_.clear();
  const std::uint64_t state = memory_ ^ digest(thread.last_access, thread.number);
  if (!seen_.insert(state).second) return false;
  work_at_news_ = work_;
  ++num_events_;
  return true;
}

bool Progress::is_still() const {
  const std::uint64_t budget = machine.options.budget;
  const bool has_barriers = work_ - work_at_barrier_ < budget;
  return work_ - work_at_news_ >= (has_barriers ? kBudgetsWithBarriers * budget : budget);
}

bool Progress::is_endless() const {
  return work_ - work_at_end_ >= kBudgetsWithoutEnd * machine.options.budget;
}

}  // namespace kv::simt
