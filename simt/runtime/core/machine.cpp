#include "simt/runtime/core/machine.h"

namespace kv::simt {

// Why it is built first: static objects of the program may launch kernels.
__attribute__((init_priority(101))) Machine machine;

std::string text(const uint3& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::string name_of(const Thread& thread) {
  return "thread " + text(thread.index);
}

}  // namespace kv::simt
