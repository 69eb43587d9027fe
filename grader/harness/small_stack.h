#pragma once
// A call with little room on the stack. A body that calls itself for each item of a list ends with
// a short list there, so a test of this needs no list that fills a whole stack.

#include <functional>

namespace kv::grader {

// The call has 64 KiB of stack, in a thread of its own. Passes on what it throws.
void with_small_stack(const std::function<void()>& call);

}  // namespace kv::grader
