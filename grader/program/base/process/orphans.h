#pragma once
// Processes that a test has started and not ended, where the system has no namespaces of processes:
// they become children of this program, which ends them.

#include <sys/types.h>

namespace kv::grader {

// To be called once, before the first command.
void adopt_orphans();

// fork(); the child is no orphan until forget_child.
pid_t fork_child();
void forget_child(pid_t child);

// Ends the orphans and all that they start meanwhile.
void end_orphans();

}  // namespace kv::grader
