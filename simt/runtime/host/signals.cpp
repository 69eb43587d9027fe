#include "simt/runtime/host/signals.h"

#include <csignal>
#include <cstdlib>

#include "simt/runtime/core/block.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

alignas(16) std::byte signal_stack[64 * 1024];

// Why it is safe to report from here: the signal comes from an access of the kernel or of a plain
// library function, never from the runtime.
void on_bad_address(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (machine.current == nullptr) {
    std::signal(signal, SIG_DFL);
    return;  // the host's own crash happens again and ends the program
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
  std::signal(SIGABRT, SIG_DFL);
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
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  std::signal(SIGABRT, on_abort);
}

}  // namespace kv::simt
