// The functions that the compiler calls before each basic block, and where a function begins and
// ends.

#include <utility>

#include "simt/runtime/core/progress.h"
#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/host/device.h"

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

bool is_in_kernel() {
  return machine.is_checking && !is_other_thread();
}

}  // namespace
}  // namespace kv::simt

extern "C" {
void __tsan_func_entry(void* caller) {
  if (kv::simt::is_in_kernel()) {
    kv::simt::Thread& me = kv::simt::self();
    if (me.depth < kv::simt::kMaxCalls) kv::simt::machine.calls[me.number][me.depth] = caller;
    ++me.depth;
  } else {
    kv::simt::check_host_enters(__builtin_return_address(0), caller);
  }
}
void __tsan_func_exit() {
  if (kv::simt::is_in_kernel()) --kv::simt::self().depth;
}

// Called before each basic block, by -fsanitize-coverage=trace-pc.
void __sanitizer_cov_trace_pc() {
  if (!kv::simt::is_in_kernel()) return;
  kv::simt::Thread& me = kv::simt::self();
  me.step = __builtin_return_address(0);
  if (++me.steps >= me.next_look) kv::simt::take_turns(me);
}
}
