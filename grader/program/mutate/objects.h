#pragma once
// What the optimizer makes of a mutant. Two texts with one object code are one program: no test can
// tell them apart, and nobody has to find out by thinking.

#include "grader/program/kit/build_tree.h"
#include "grader/program/mutate/mutant.h"

namespace kv::grader::mutate {

// A text of a student file; as the file is, or with one place changed.
struct Text {
  std::string file;
  std::string source;
};

// The object code of each text at -O2, in order, with the compiler and the flags of a lab that has
// been built in `built`.
std::vector<std::string> objects_of(const Kit& kit,
                                    const BuildTree& built,
                                    const std::vector<Text>& texts);

}  // namespace kv::grader::mutate
