#include "simt/runtime/core/progress.h"

#include <algorithm>
#include <cstring>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/machine.h"

extern "C" void __sanitizer_cov_trace_pc();

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

namespace {

constexpr std::size_t kMaxTrail = 64;
constexpr int kMaxTicks = 3;
constexpr std::ptrdiff_t kMaxBlockBytes = 256;

// Whether the code here calls the hook before a basic block.
bool begins_block([[maybe_unused]] const char* code) {
#if defined(__x86_64__)
  std::int32_t distance = 0;
  std::memcpy(&distance, code + 1, sizeof distance);
  return *code == '\xe8' &&
         code + 5 + distance == reinterpret_cast<char*>(__sanitizer_cov_trace_pc);
#elif defined(__aarch64__)
  std::uint32_t word = 0;
  std::memcpy(&word, code, sizeof word);
  const auto distance = static_cast<std::int32_t>(word << 6) >> 4;
  return word >> 26 == 0x25 && code + distance == reinterpret_cast<char*>(__sanitizer_cov_trace_pc);
#else
  return true;
#endif
}

// Places in the code of a basic block. Why several: an optimizer gives some of them no line, and in
// a loop the line of its condition may come last.
void add_instructions(std::vector<Site>& sites, Site block) {
  const auto* const code = static_cast<const char*>(block);
  sites.push_back(code);
  for (std::ptrdiff_t i = 1; i < kMaxBlockBytes && !begins_block(code + i); ++i) {
    if (i % 4 == 0) sites.push_back(code + i);
  }
}

const Thread* first_in_loop(const std::vector<Whereabouts>& all) {
  const auto found = std::find_if(all.begin(), all.end(), [](const Whereabouts& group) {
    return group.doing == Doing::kLooping;
  });
  return found == all.end() ? machine.current : &machine.threads[found->first_thread()];
}

void add(std::vector<Whereabouts>& all, Whereabouts one) {
  for (Whereabouts& group : all) {
    if (group.doing != one.doing || group.sites != one.sites) continue;
    for (std::size_t warp = 0; warp < one.lanes.size(); ++warp) {
      group.lanes[warp] |= one.lanes[warp];
    }
    return;
  }
  all.push_back(std::move(one));
}

}  // namespace

__attribute__((init_priority(102))) HangWatch hang_watch;

void HangWatch::begin_launch() {
  if (is_on_) trails_.fill({});
  is_on_ = is_asked_ = is_endless_ = false;
  ticks_ = 0;
}

void HangWatch::begin() {
  if (is_on_) return;
  is_on_ = true;
  is_endless_ = progress.is_endless();
  turns_left_ = 2 * machine.num_live;
  for (Thread& thread : machine.threads) thread.next_look = 0;
}

void HangWatch::ask() {
  is_asked_ = true;
  self().next_look = 0;
}

bool HangWatch::has_seen_all() const {
  return turns_left_ == 0 || ticks_ >= kMaxTicks;
}

// Why trails begin after a turn: before that, a thread may still be on its way to the loop.
void HangWatch::turn_ended(const Thread& thread) {
  if (!is_on_) return;
  if (turns_left_ > 0) --turns_left_;
  Trail& trail = trails_[thread.number];
  if (!trail.is_in_loop) trail = {{}, true};
}

void HangWatch::see(const Thread& thread, const void* frame) {
  Trail& trail = trails_[thread.number];
  for (Step& step : trail.steps) {
    if (step.frame != frame || step.site != thread.step) continue;
    step.is_repeated = true;
    return;
  }
  if (trail.steps.size() < kMaxTrail) trail.steps.push_back({frame, thread.step, false});
}

// The blocks that the thread came through again, in the outermost function that has any: a function
// that the loop calls has blocks, too.
std::vector<Site> HangWatch::loop_of(const Thread& thread) const {
  const void* outermost = nullptr;
  std::vector<Site> sites;
  for (const Step& step : trails_[thread.number].steps) {
    if (!step.is_repeated || step.frame < outermost) continue;
    if (step.frame > outermost) sites.clear();
    outermost = step.frame;
    add_instructions(sites, step.site);
  }
  return sites;
}

Whereabouts HangWatch::whereabouts_of(const Thread& thread, Site here) const {
  Whereabouts one{Doing::kLooping, loop_of(thread), std::vector<std::uint32_t>(machine.num_warps)};
  one.lanes[thread.warp] = 1u << thread.lane;
  const auto set = [&](Doing doing, Site site) {
    one.doing = doing;
    one.sites = {site};
  };
  if (&thread == machine.current && here != nullptr) {
    set(Doing::kLooping, here);
  } else if (thread.state == State::kExited) {
    set(Doing::kReturned, nullptr);
  } else if (!one.sites.empty()) {
    return one;
  } else if (thread.state == State::kAtBarrier || thread.state == State::kAtNumberedBarrier) {
    set(Doing::kAtBarrier, thread.waits_at);
  } else if (thread.state == State::kInWarpCall) {
    set(Doing::kInWarpCall, thread.waits_at);
  } else {
    set(thread.step == nullptr ? Doing::kNotBegun : Doing::kStopped, thread.step);
  }
  return one;
}

std::vector<Whereabouts> HangWatch::all_whereabouts(Site here) const {
  std::vector<Whereabouts> all;
  for (unsigned i = 0; i < machine.num_threads; ++i) {
    add(all, whereabouts_of(machine.threads[i], here));
  }
  return all;
}

// Why another block does not help a thread that may be waiting for it.
std::string blocks_to_come(const Thread& thread) {
  const dim3& grid = machine.shape.grid;
  const std::uint64_t num_blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const std::uint64_t num_begun = machine.block_number - machine.first_block + 1;
  if (thread.last_access == 0 || num_blocks == 1) return "";
  if (machine.shape.is_cooperative)
    return "; if it waits for another block: simt lets that one run at grid.sync() and not in a "
           "loop, so wait there";
  if (num_begun >= num_blocks) return "";
  return "; and none may wait for a block that has not begun (" +
         std::to_string(num_blocks - num_begun) + " of " + std::to_string(num_blocks) +
         "), because blocks begin in any order";
}

void HangWatch::abandon(Site here) {
  const PauseChecks pause;
  std::vector<Whereabouts> all = all_whereabouts(here);
  const Thread* const thread = first_in_loop(all);
  const std::string what =
      name_of(*thread) + " does not end, and " +
      (is_endless_ ? "no other thread ends, though memory changes. If it is only slow: make the "
                     "problem smaller, or KV_SIMT_BUDGET larger"
                   : "nothing moves on: no other thread ends, and memory gets no contents "
                     "that it did not have before" +
                         blocks_to_come(*thread));
  fail(cudaErrorLaunchFailure,
       {.kind = Kind::kSpin, .site = nullptr, .what = what, .whereabouts = std::move(all)}, thread);
}

}  // namespace kv::simt
