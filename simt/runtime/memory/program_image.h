#pragma once
// The linked program: the names of kernels and of arrays in shared memory, and which memory is
// code, constants or variables.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kv::simt {

struct Symbol {
  std::string name;
  std::uintptr_t address;  // in this thread's copy, if it is thread_local
  std::size_t bytes;
  bool is_guard;  // a variable that g++ adds beside an array, to initialize it only once
};

struct Range {
  std::uintptr_t first = 0;
  std::size_t bytes = 0;
  bool contains(std::uintptr_t address) const { return address - first < bytes; }
};

class ProgramImage {
 public:
  ProgramImage();

  std::uintptr_t bias() const { return bias_; }  // loaded address minus linked address
  const Range& thread_locals() const { return thread_locals_; }  // the static part of shared memory
  const std::vector<Symbol>& shared_arrays() const { return shared_arrays_; }

  // Sections of the names that the rewriter gives, and variables, under their symbols' names.
  const std::vector<Symbol>& own_sections() const { return own_sections_; }
  const std::vector<Symbol>& objects() const { return objects_; }

  bool is_read_only(std::uintptr_t address) const { return is_in(read_only_, address); }
  bool is_variable(std::uintptr_t address) const { return is_in(variables_, address); }
  std::string function_at(const void* address) const;
  // Where the function that contains this address begins; nullptr: nowhere.
  const void* function_of(const void* address) const;
  // Whether a function of the C++ library, or of NVIDIA's, contains this address.
  bool is_in_library(const void* address) const;
  // Whether this is in the body of a kernel.
  bool is_in_kernel(std::uintptr_t address) const;
  // Code of the program itself: neither of a library nor of this runtime.
  bool is_own_code(std::uintptr_t address) const;
  // The static shared memory of the function that contains this address, without what it calls.
  std::size_t shared_bytes_of(std::uintptr_t address) const;
  // Functions with more static shared memory than this: their names and how many bytes.
  std::vector<Symbol> functions_with_more_shared(std::size_t bytes) const;

 private:
  static bool is_in(const std::vector<Range>& ranges, std::uintptr_t address);
  const Symbol* function_around(std::uintptr_t address) const;
  void find_segments();
  void read_symbols();
  void read_shared_arrays();  // their names and sizes
  void find_kernels();

  std::uintptr_t bias_ = 0;
  Range thread_locals_;
  std::vector<Range> read_only_;  // segments of the program and its libraries
  std::vector<Range> variables_;  // segments of the program alone
  std::vector<Symbol> shared_arrays_;
  std::map<std::string, std::size_t> shared_bytes_;  // by the name of a function's symbol
  std::vector<Symbol> functions_, objects_, own_sections_;
  std::vector<Range> kernels_;  // in the order of addresses
};

const ProgramImage& program_image();

// "tile" of the symbol "_ZL4tile"
std::string name_of_variable(const Symbol& symbol);

// "tile" of "void transpose<float>(float*)::tile"
std::string short_name(const std::string& demangled);

}  // namespace kv::simt
