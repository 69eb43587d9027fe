#pragma once
// The parts of a program that can be exchanged, one by one, and the symbols of their functions.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/kit/kit.h"
#include "base/text/text.h"

namespace kv::grader::cause {

// The functions that a library of C++ code defines, by the names that a person uses.
struct Symbol {
  std::string linker_name;  // "_ZN2kv9BlockPool5touchE..."
  std::string function;     // "BlockPool::touch"; of all overloads and instantiations the same
};

// Functions of namespace kv that other libraries can call, in the order of their linker names.
std::vector<Symbol> symbols_of(const fs::path& library);

// "TiledAttention<Stored>::read_part" -> "TiledAttention::read_part".
std::string without_template_arguments(std::string_view name);

// Where steps stand that no other file sees. Why named: the linker cannot redirect calls of a
// function in an unnamed namespace.
inline constexpr std::string_view kNamedNamespace = "in_file";

// What can be at fault: a step that the student has written, or a given function that the student
// has changed.
struct Unit {
  // Empty for a given function. More than one if a later step rewrites them together: their
  // bodies agree on what they store, so one cannot be replaced alone.
  std::vector<std::string> steps = {};
  std::string name;                      // "step 2.2 get_new_blocks", "the given function owns"
  std::string heading;                   // "2.2 get_new_blocks"; empty for a given function
  std::set<std::string> functions = {};  // "BlockPool::get_new_blocks"
};

// The units whose text in `tree` is not the solution's, in the order of the steps, given functions
// last.
std::vector<Unit> changed_units(const Kit& kit, const LabSpec& lab, const fs::path& tree);

// Do both have the same classes outside of functions, and the same headers? Else a function of one
// cannot work on the objects of the other.
bool can_be_mixed(const Kit& kit, const LabSpec& lab, const fs::path& tree);

// All functions that the lab's files in the solution define.
std::set<std::string> functions_of_solution(const Kit& kit, const LabSpec& lab);

}  // namespace kv::grader::cause
