#pragma once
// What CUDA adds to the grammar of C++, turned into C++ that any compiler reads:
//
//   kernel<T><<<grid, block, bytes, stream>>>(a, b);
//   KV_SIMT_LAUNCH(kernel<T>).on(grid, block, bytes, stream)(a, b);
//
//   extern __shared__ __align__(16) float tile[];
//   auto* const tile = static_cast<float*>(::kv::simt::dynamic_shared()); KV_SIMT_ONE_TYPE(tile);
//
//   __CUDA_ARCH__ and inline PTX in device code: see device_code.h
//   cudaLaunchKernel((void*)kernel, ...) loses its cast
//
// Everything else is unchanged and stays on its line, so that errors and findings name the lines of
// the original.

#include <stdexcept>
#include <string>
#include <string_view>

namespace kv::simt {

// what() is file and line, then one sentence.
class MalformedCuda : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `file` is the name that compilers and reports show. Throws MalformedCuda.
std::string rewrite_cuda(std::string_view source, const std::string& file);

// nvcc reads "<< <" and ">> >" as "<<<" and ">>>". The source with the blanks moved before these
// brackets; every line keeps its number and its length.
std::string join_launch_brackets(std::string source);

}  // namespace kv::simt
