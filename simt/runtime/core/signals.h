#pragma once

namespace kv::simt {

// What the instrumentation cannot see beforehand: a stack that is full, a wild pointer in a library
// function such as memcpy, abort().
void catch_bad_signals();

}  // namespace kv::simt
