#pragma once
// A test in a namespace of processes of its own: it sees no other process, so it can stop none, and
// when it ends, the kernel ends all that it has started.

namespace kv::grader {

// Called in a new process, where the system allows namespaces. Returns in a grandchild that is to
// become the test; the calling process waits for that one and ends as it has ended, by the same
// signal or with the same exit code.
void enter_process_namespace();

// Whether the system allows it, found out by trying. To be asked before the fork.
bool has_process_namespaces();

}  // namespace kv::grader
