#pragma once

#include <string>

namespace kv::grader {

// What AddressSanitizer or UndefinedBehaviorSanitizer found, and the first line of the graded files
// in its report: "a write through a null pointer in remove, line 36 of stage/queue.cpp".
std::string sanitizer_sentence(const std::string& output);

}  // namespace kv::grader
