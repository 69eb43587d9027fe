#include "simt/runtime/host/signals.h"

#include <csignal>
#include <cstdlib>

#include "simt/runtime/core/block.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

alignas(16) std::byte signal_stack[64 * 1024];

// What the program had installed before; SIG_DFL if nothing.
struct sigaction previous_of_bad_address, previous_of_abort;

// Why it is safe to report from here: the signal comes from an access of the kernel or of a plain
// library function, never from the runtime.
void on_bad_address(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (machine.current == nullptr) {
    sigaction(signal, &previous_of_bad_address, nullptr);
    return;  // the host's own crash happens again
  }
  if (machine.stacks.is_guard(address)) {
    fail(
        cudaErrorIllegalAddress,
        {.kind = Kind::kStackOverflow,
         .site = self().step,
         .what = name_of(self()) + " needs more than the 64 KiB of local memory that it has here"});
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

}  // namespace kv::simt
