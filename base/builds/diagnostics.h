#pragma once
// What a compiler and a linker say.

#include <string>
#include <vector>

#include "base/process/process.h"
#include "base/text/text.h"

namespace kv::grader {

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

}  // namespace kv::grader
