#pragma once
// What the declaration of a function says about who calls it.

#include "base/cpp_text/functions.h"
#include "base/cpp_text/lexer.h"

namespace kv::simt {

bool is_kernel(const grader::FunctionText& function);
bool is_of_device(const grader::FunctionText& function);  // and of no other side, as its text says
bool is_of_both_sides(const grader::FunctionText& function);
bool is_host_only(const grader::FunctionText& function);

// A name in capitals may be a macro that says __device__ or void.
bool has_macro(const std::string& text);

bool is_word(const grader::Token& token);

// "twice" of twice<float>
std::string plain_name(const grader::FunctionText& function);

}  // namespace kv::simt
