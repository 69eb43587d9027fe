#pragma once
// The functions that a library of C++ code defines, by the names that a person uses.

#include <string>
#include <string_view>
#include <vector>

#include "common/text.h"

namespace kv::grader::cause {

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

}  // namespace kv::grader::cause
