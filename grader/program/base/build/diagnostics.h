#pragma once
// What a compiler and a linker say, and whose failure it is when a build does not succeed.

#include <string>
#include <vector>

#include "common/text.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {

// What a compiler and a linker say.
struct Diagnostic {
  enum class Kind { kError, kWarning, kNote };
  Kind kind;
  std::string file;
  int line;
  std::string place;  // "FILE:36:5"
  std::string text;
  std::vector<std::string> below = {};  // the line of source, with a caret
};

// Those of g++ and clang++, in their order. An error inside a library has the place of the line
// that led there, if the compiler says it.
std::vector<Diagnostic> diagnostics_in(const std::string& output);

// The first error in the output of a build: a place outside the libraries, the line of source, and
// the note that explains it best.
std::string first_error(const std::string& output);

// Whose failure it is when a build does not succeed: the student's, the kit's or the machine's.

// Throws MachineFailed when the compiler, the linker or Ninja could not work; CompilerExhausted for
// want of memory or time.
void refuse_machine_failure(const Outcome& build);

// Is there an error with a place in a file of this folder?
bool has_error_in(const std::string& output, const fs::path& folder);

// Is there an error in a source at all, or one of the linker about symbols?
bool has_error(const std::string& output);

}  // namespace kv::grader
