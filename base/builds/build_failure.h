#pragma once
// Whose failure it is when a build does not succeed: the student's, the kit's or the machine's.

#include <string>

#include "base/process/process.h"
#include "base/text/text.h"

namespace kv::grader {

// Throws MachineFailed when the compiler, the linker or Ninja could not work; CompilerExhausted for
// want of memory or time.
void refuse_machine_failure(const Outcome& build);

// Is there an error with a place in a file of this folder?
bool has_error_in(const std::string& output, const fs::path& folder);

// Is there an error in a source at all, or one of the linker about symbols?
bool has_error(const std::string& output);

// Is the line one of the linker about symbols?
bool is_about_symbols(const std::string& line);

}  // namespace kv::grader
