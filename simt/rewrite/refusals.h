#pragma once
// What nvcc refuses and the host's compiler accepts, read from the text: kernels without
// __global__, host functions called in kernels, and the like. It has names and no types, so it says
// nothing where a name may mean something else.

#include <map>
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

// The kind of a refusal that nvcc takes back with --extended-lambda.
inline constexpr const char* kLambdaOfDevice = "device-lambda";

// The names that files declare.
struct DeclaredNames {
  std::set<std::string> kernels, device_functions, host_functions, host_arrays;
  std::set<std::string> device_only, host_callable;  // what the text says of those functions
  std::set<std::string> prototypes;    // any declared function, also if it is defined elsewhere
  std::set<std::string> device_words;  // that bodies of device code use
  std::map<std::string, std::set<std::string>> both_sides;  // functions of both, and their words
};
void collect_names(std::string_view source, DeclaredNames& names);

std::vector<Refusal> find_refusals(std::string_view source, const DeclaredNames& names);

// Those of find_refusals that a declaration shows by itself.
void find_refused_declarations(std::string_view source, std::vector<Refusal>& refusals);

// Whether this line is in a function that runs only on the device.
bool is_device_line(std::string_view source, std::size_t line);

Refusal refused_array(std::size_t line);  // an array of variable length

}  // namespace kv::simt
