#pragma once
// The variables of the program, and whose they are: __device__ and __constant__ variables are the
// device's, other variables the host's.

#include "simt/runtime/memory/program_image.h"

namespace kv::simt {

enum class Owner { kNone, kDevice, kConstant, kUnsetConstant };

class Variables {
 public:
  Variables();

  // kUnsetConstant: without an initializer in the program.
  Owner owner(std::uintptr_t address) const {
    return address - all_.first < all_.bytes ? find_owner(address) : Owner::kNone;
  }
  // The host's variable at this address; nullptr: none, or one that kernels may read.
  const Symbol* of_host(std::uintptr_t address) const;
  // "limits", or "a variable"
  std::string name_at(std::uintptr_t address) const;

  // The host has written these bytes, of a __constant__ variable for example.
  void fill(std::uintptr_t address, std::size_t bytes);
  bool is_filled(std::uintptr_t address) const;

 private:
  struct Section {
    Range range;
    Owner owner;
    bool is_filled;
  };
  Owner find_owner(std::uintptr_t address) const;

  Range all_;                      // from the first section to the last
  std::vector<Section> sections_;  // the rewriter gives each variable one of its own
  std::vector<Symbol> of_host_;    // by address
  std::vector<Symbol> of_device_;
};

Variables& variables();

// From the first section of the device's variables to the last; all memory until they are known.
extern Range device_sections;
// Why: host code has many accesses, and this is quicker than to ask for the owner.
inline bool may_be_of_device(std::uintptr_t address) {
  return device_sections.contains(address) && variables().owner(address) != Owner::kNone;
}

}  // namespace kv::simt
