#pragma once
// What a copier does to a text so that it looks different. The program stays the same.

#include <string>

namespace kv::grader {

std::string renamed(const std::string& source);      // variables and parameters
std::string reordered(const std::string& source);    // the last function comes first
std::string reformatted(const std::string& source);  // other lines, no comments
std::string commented(const std::string& source);    // a comment in each line

}  // namespace kv::grader
