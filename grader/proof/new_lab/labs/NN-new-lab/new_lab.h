#pragma once
// New lab. A contract says for each call what it does, what it refuses, and what it costs.

namespace kv {

// N.1  The number after `number`. O(1).
int first_step(int number);

}  // namespace kv
