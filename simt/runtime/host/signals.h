#pragma once

namespace kv::simt {

// Reports what the instrumentation cannot see in advance: a full stack, an invalid pointer in a
// library function such as memcpy, abort().
void install_signal_handlers();

}  // namespace kv::simt
