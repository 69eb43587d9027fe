#pragma once
// What CUDA itself does not have, in a sentence: forms of functions for other types, and names that
// CUDA 13 has removed.

#include <string>

namespace kv::simt {

// name: the first that the compiler's error names. Empty if the error says something else.
std::string refused_by_cuda(const std::string& error, const std::string& name, bool is_cuda_13);

}  // namespace kv::simt
