#pragma once
// Where a test is when a check fails or a signal comes. The harness sends addresses, the grader
// finds the lines (engine/grading/source_lines.h).

#include <csignal>

namespace kv::grader {

// Reads where the program is in memory. Why before a signal comes: it takes a lock.
void prepare_call_stack();

// Sends the calls in progress, the innermost first. In a signal handler it comes last: if the stack
// is damaged, it does not return.
void send_call_stack();

// Sends the address at which memory was read or written, for SIGSEGV and SIGBUS.
void send_fault(const siginfo_t& info, const void* context);

}  // namespace kv::grader
