#pragma once
// The parts of one declaration. A declaration is its tokens up to the brace or the semicolon.

#include "base/cpp_text/lexer.h"

namespace kv::grader {

using Tokens = std::span<const Token>;

// A "(" follows it, and it is no function: alignas, __launch_bounds__.
bool takes_arguments(std::string_view word);

bool begins_type(const Token& token);  // struct, class, enum, union

bool opens_namespace(Tokens declaration);  // or extern "C"

// The index after "template <...>" at `i`; `i` itself if there is none.
std::size_t after_template_header(Tokens tokens, std::size_t i);

// Where the parameter list opens; declaration.size() if this declares no function.
std::size_t parameter_list(Tokens declaration);

// Does the "{" after the declaration begin the body? Else it initializes a member: `: list_{}`.
bool begins_body(Tokens declaration, std::size_t parameters);

// The brace that closes the body that opens at `open`, or the last handler of a function-try-block.
std::size_t end_of_body(Tokens tokens, std::size_t open);

}  // namespace kv::grader
