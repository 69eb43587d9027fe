#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kv::grader {

// What the text of a submitted file has and an honest solution does not need, with its line:
// assembly, attributes that change how the compiler instruments or links a function, includes from
// outside of the tree and the contract, and macros over the kit's names or C++'s words.
std::vector<std::string> source_flags(std::string_view source, const std::string& file);

// What a copy of a contract's header has that could be meant for the tests alone, which include it:
// conditions, macros, names of the test library and of the grader.
std::vector<std::string> header_flags(std::string_view source, const std::string& file);

}  // namespace kv::grader
