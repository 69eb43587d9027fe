#include "simt/runtime/host/signals.h"

#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>

#include <csignal>
#include <cstdlib>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/machine.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/memory/program_image.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

alignas(16) std::byte signal_stack[64 * 1024];

// What the program had installed before; SIG_DFL if nothing.
struct sigaction previous_of_bad_address, previous_of_abort;

// The address where the signal interrupted the program; 0 on other processors: unknown.
std::uintptr_t interrupted_address([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

// The host's own crash happens again after the handler. Why a report first: after a launch that has
// failed, a program without checks often crashes. Why only in the program's own code: a library may
// be in the middle of something, such as an allocation.
void on_crash_of_host(int signal, const void* context) {
  sigaction(signal, &previous_of_bad_address, nullptr);
  if (program_image().is_own_code(interrupted_address(context))) write_report();
}

// Why it is safe to report from here: the signal comes from an access of the kernel or of a plain
// library function, never from the runtime.
void on_bad_address(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (machine.current == nullptr) return on_crash_of_host(signal, context);
  if (machine.stacks.is_guard(address)) {
    fail(cudaErrorIllegalAddress,
         {.kind = Kind::kStackOverflow,
          .site = self().step,
          .what = name_of(self()) + " needs more than the 512 KiB of local memory "
                                    "that a thread can have"});
  }
  fail(cudaErrorIllegalAddress,
       {.kind = Kind::kOutOfBounds,
        .site = self().step,
        .what = name_of(self()) + " uses an invalid pointer in a library function"});
}

void on_abort(int) {
  write_report();
  sigaction(SIGABRT, &previous_of_abort, nullptr);
  std::raise(SIGABRT);
}

}  // namespace

void install_signal_handlers() {
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_bad_address;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &previous_of_bad_address);
  sigaction(SIGBUS, &action, nullptr);
  struct sigaction on_abort_action = {};
  on_abort_action.sa_handler = on_abort;
  sigaction(SIGABRT, &on_abort_action, &previous_of_abort);
}

namespace {

constexpr int kTickMicroseconds = 100'000;
constexpr int kMaxSilentTicks = 10;
// Why more in lockstep: there each basic block costs a switch.
constexpr int kMaxTicksOfLaunch = 30, kMaxTicksInLockstep = 100;

// When the last of these changed.
struct Signs {
  std::uint64_t steps, work, num_events;
};
Signs last_signs;
int silent_ticks, ticks_without_event;
pthread_t launching_thread;

void read_signs() {
  const Signs now{self().steps, progress.work(), progress.num_events()};
  const bool is_silent = now.steps == last_signs.steps && now.work == last_signs.work;
  silent_ticks = is_silent ? silent_ticks + 1 : 0;
  ticks_without_event = now.num_events == last_signs.num_events ? ticks_without_event + 1 : 0;
  last_signs = now;
}

// Why only in the program's own code: the runtime and the C library may be in the middle of
// something, such as an allocation, and could not be used again.
void on_tick(int, siginfo_t*, void* context) {
  if (machine.current == nullptr || !pthread_equal(pthread_self(), launching_thread)) return;
  read_signs();
  hang_watch.tick();
  const std::uintptr_t address = interrupted_address(context);
  const bool may_stop = machine.is_checking && program_image().is_own_code(address);
  if (silent_ticks >= kMaxSilentTicks && may_stop) {
    hang_watch.abandon(reinterpret_cast<Site>(address));
  }
  const int allowed = machine.options.is_lockstep ? kMaxTicksInLockstep : kMaxTicksOfLaunch;
  if (ticks_without_event >= allowed) hang_watch.ask();
}

void set_timer(int microseconds) {
  const timeval time{0, microseconds};
  const itimerval timer{time, time};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

void install_timer() {
  struct sigaction action = {};
  action.sa_sigaction = on_tick;
  // Why no deferring: the handler may end with a switch to the host's fiber.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
}

void start_timer() {
  launching_thread = pthread_self();
  silent_ticks = ticks_without_event = 0;
  set_timer(kTickMicroseconds);
}

void stop_timer() {
  set_timer(0);
}

}  // namespace kv::simt
