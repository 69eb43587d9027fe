#pragma once
// Text in a color of the terminal; as it is where standard output is no terminal.

#include <string>

namespace kv::grader {

std::string green(const std::string& text);
std::string red(const std::string& text);
std::string bold(const std::string& text);

// From now on in color: what is printed reaches a terminal, though not directly.
void print_in_color();

}  // namespace kv::grader
