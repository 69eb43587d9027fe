#include <signal.h>

#include <array>
#include <cstdlib>

#include "grader/harness/call_stack.h"
#include "grader/harness/channel.h"
#include "grader/harness/endless.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

#ifdef KV_SANITIZED
// Why not the others: AddressSanitizer reports those itself, in more detail.
constexpr std::array kFatalSignals = {SIGXCPU, SIGTERM};
#else
constexpr std::array kFatalSignals = {SIGXCPU, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#endif

// After a stack overflow the handler needs another stack.
alignas(16) std::array<char, 64 * 1024> spare_stack;

void emit_and_raise(int signal_number, siginfo_t* info, void* context) {
  emit_log();
  if (signal_number == SIGXCPU) send_why_time_is_up(TimeLimit::kProcessor);
  if (signal_number == SIGTERM) send_why_time_is_up(TimeLimit::kWallClock);
  if (signal_number == SIGSEGV || signal_number == SIGBUS) send_fault(*info, context);
  send_call_stack();
  ::raise(signal_number);  // SA_RESETHAND has put the default action back
}

}  // namespace

void use_spare_stack() {
  stack_t stack{};
  stack.ss_sp = spare_stack.data();
  stack.ss_size = spare_stack.size();
  ::sigaltstack(&stack, nullptr);
}

void install_crash_handler() {
  prepare_call_stack();
  std::atexit([] {
    if (!channel::is_finished()) emit_log();
  });
  use_spare_stack();
  struct sigaction action {};
  action.sa_sigaction = emit_and_raise;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  for (const int signal_number : kFatalSignals) ::sigaction(signal_number, &action, nullptr);
}

}  // namespace kv::grader
