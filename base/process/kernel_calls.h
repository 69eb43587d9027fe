#pragma once
// Which calls of the kernel a program may make, as seccomp enforces it. What it starts has the same
// limits, and none of them can be taken back.
//
// Why a list of what is allowed: Landlock decides who opens a file, and no more. Its mode, owner,
// dates and attributes, the queues and the memory that processes share by a number, and sockets are
// calls of their own, and each new kernel brings others.

namespace kv::grader {

// kOfSanitizedTests: these need more, for their own process.
enum class KernelCalls { kOfTests, kOfSanitizedTests };

// In the new process; allocates no memory. True without seccomp: there is nothing to enforce.
bool allow_only(KernelCalls calls);

bool can_limit_kernel_calls();

}  // namespace kv::grader
