#include "simt/runtime/memory/variables.h"

#include <algorithm>
#include <cstdint>

namespace kv::simt {
namespace {

Owner owner_of_section(const std::string& name) {
  if (name.starts_with("kv_simt_unset")) return Owner::kUnsetConstant;
  if (name.starts_with("kv_simt_constant")) return Owner::kConstant;
  return name.starts_with("kv_simt_device") ? Owner::kDevice : Owner::kNone;
}

// Names that no program gives: of the compiler, the libraries, the runtime.
bool is_of_program(const std::string& name) {
  for (const char* const prefix : {"_ZN2kv", "_ZZN2kv", "_ZGV", "_ZT", "_ZNSt", "_ZSt", "__"}) {
    if (name.starts_with(prefix)) return false;
  }
  const bool is_index = name.ends_with("Idx") || name.ends_with("Dim");
  return !is_index && name.find('.') == std::string::npos;
}

// Why no constants: the compiler may read one where the program only uses its value, which kernels
// may do; rewrite/refusals finds the others. Why only those of main: a static variable of a
// function that a kernel calls is the device's. Why no templates: g++ ignores their sections.
bool is_of_host(const Symbol& variable) {
  if (!is_of_program(variable.name)) return false;
  if (program_image().is_read_only(variable.address)) return false;
  if (name_of_variable(variable).ends_with('>')) return false;
  return !variable.name.starts_with("_ZZ") || variable.name.starts_with("_ZZ4mainE");
}

const Symbol* find(const std::vector<Symbol>& symbols, std::uintptr_t address) {
  const auto after =
      std::upper_bound(symbols.begin(), symbols.end(), address,
                       [](std::uintptr_t at, const Symbol& other) { return at < other.address; });
  if (after == symbols.begin()) return nullptr;
  const Symbol& before = *std::prev(after);
  return address - before.address < before.bytes ? &before : nullptr;
}

}  // namespace

Variables::Variables() {
  std::uintptr_t end = 0;
  for (const Symbol& section : program_image().own_sections()) {
    const Owner owner = owner_of_section(section.name);
    sections_.push_back({{section.address, section.bytes}, owner, false});
    if (all_.first == 0 || section.address < all_.first) all_.first = section.address;
    end = std::max(end, section.address + section.bytes);
  }
  all_.bytes = end - all_.first;
  device_sections = all_;
  for (const Symbol& variable : program_image().objects()) {
    const bool is_own = std::any_of(sections_.begin(), sections_.end(), [&](const Section& each) {
      return each.range.contains(variable.address);
    });
    if (is_own) of_device_.push_back(variable);
    if (!is_own && is_of_host(variable)) of_host_.push_back(variable);
  }
  for (std::vector<Symbol>* const symbols : {&of_host_, &of_device_}) {
    std::sort(symbols->begin(), symbols->end(),
              [](const Symbol& a, const Symbol& b) { return a.address < b.address; });
  }
}

Owner Variables::find_owner(std::uintptr_t address) const {
  for (const Section& section : sections_) {
    if (section.range.contains(address)) return section.owner;
  }
  return Owner::kNone;
}

const Symbol* Variables::of_host(std::uintptr_t address) const {
  return find(of_host_, address);
}

std::string Variables::name_at(std::uintptr_t address) const {
  const Symbol* variable = find(of_device_, address);
  if (variable == nullptr) variable = find(of_host_, address);
  return variable == nullptr ? "a variable" : "'" + name_of_variable(*variable) + "'";
}

void Variables::fill(std::uintptr_t address, std::size_t bytes) {
  for (Section& section : sections_) {
    const bool overlaps = address < section.range.first + section.range.bytes &&
                          section.range.first < address + bytes;
    section.is_filled = section.is_filled || overlaps;
  }
}

bool Variables::is_filled(std::uintptr_t address) const {
  return std::any_of(sections_.begin(), sections_.end(), [&](const Section& section) {
    return section.is_filled && section.range.contains(address);
  });
}

constinit Range device_sections{0, SIZE_MAX};

Variables& variables() {
  static Variables all;
  return all;
}

}  // namespace kv::simt
