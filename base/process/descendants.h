#pragma once
// What a test has started ends with it: in a namespace of processes, and where the system has none,
// because this program adopts what is left, and ends it.

#include <sys/types.h>

namespace kv::grader {

// A test in a namespace of processes of its own: it sees no other process, so it can stop none, and
// when it ends, the kernel ends all that it has started.

// Called in a new process, where the system allows namespaces. Returns in a grandchild that is to
// become the test; the calling process waits for that one and ends as it has ended, by the same
// signal or with the same exit code.
void enter_process_namespace();

// Whether the system allows it, found out by trying. To be asked before the fork.
bool has_process_namespaces();

// Whether LeakSanitizer works in such a namespace. It looks into /proc for a test's threads by the
// number that the test has in the namespace, and ends the test if that is no process outside, as in
// a container with few processes.
bool can_find_leaks();

// Processes that a test has started and not ended, where the system has no namespaces of processes:
// they become children of this program, which ends them.

// To be called once, before the first command.
void adopt_orphans();

// fork(); the child is no orphan until forget_child.
pid_t fork_child();
void forget_child(pid_t child);

// Ends the orphans and all that they start meanwhile.
void end_orphans();

}  // namespace kv::grader
