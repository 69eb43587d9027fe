#pragma once

#include <string>

namespace kv::simt {

// nvcc reads "<< <" and ">> >" as "<<<" and ">>>". The source with the blanks moved before these
// brackets; every line keeps its number and its length.
std::string join_launch_brackets(std::string source);

}  // namespace kv::simt
