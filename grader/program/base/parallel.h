#pragma once

#include <cstddef>
#include <functional>

namespace kv::grader {

// Calls work(0) to work(count - 1), as many at a time as there are cores, begun in this order.
// When one throws, the others finish and the first exception comes out.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace kv::grader
