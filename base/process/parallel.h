#pragma once

#include <cstddef>
#include <functional>

namespace kv::grader {

// Calls work(0) to work(count - 1), as many at a time as there are cores, started in this order. If
// a call throws, that thread stops, the other threads go on to the end, and the first exception is
// thrown again.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace kv::grader
