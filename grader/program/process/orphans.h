#pragma once
// What a test has started and left behind, where the system has no namespaces of processes: it
// becomes a child of this program, which ends it.

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
