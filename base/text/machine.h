#pragma once
// What a machine can refuse to a right answer: room on the disk, memory, files, processes.

#include <optional>
#include <string>
#include <string_view>

namespace kv::grader {

// The reason and what to do about it, if a line of the output says that a program could not work.
std::optional<std::string> machine_refusal(std::string_view output);

// Whether a compiler has used up its memory or its time.
bool is_compiler_exhausted(std::string_view output);

// Makes a file that becomes too large an error, and not the end of this program; and allows as many
// open files as the test programs need. Throws MachineFailed.
void adjust_limits();

}  // namespace kv::grader
