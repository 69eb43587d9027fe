#pragma once
// What nvcc refuses and the host's compiler accepts, read from the text: kernels without
// __global__, host functions called in kernels, and the like. It has names and no types, so it says
// nothing where a name may mean something else.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kv::simt {

struct Refusal {
  std::string kind;   // "host-function"
  std::size_t line;   // in the source
  std::string what;   // one sentence: what is there
  std::string means;  // one sentence: what to do
};

// The names that files declare.
struct DeclaredNames {
  std::set<std::string> kernels, device_functions, host_functions, host_arrays;
  std::set<std::string> prototypes;  // any declared function, also if it is defined elsewhere
};
void collect_names(std::string_view source, DeclaredNames& names);

std::vector<Refusal> find_refusals(std::string_view source, const DeclaredNames& names);

// Whether this line is in a function that runs only on the device.
bool is_device_line(std::string_view source, std::size_t line);

Refusal refused_array(std::size_t line);  // an array of variable length

}  // namespace kv::simt
