#pragma once
// The compiled objects of a closed lab: of its solution, which other labs and the comparison of
// times need, and of the bugs of its counterexample questions.

#include <map>
#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader::handout {

// Compiles them, and writes them without what a debugger reads. From the path in the handout to the
// object. They are for this system, and for g++ and clang++ with the standard library of g++.
std::map<std::string, fs::path> prebuilt_objects(const Kit& kit, const LabSpec& lab);

}  // namespace kv::grader::handout
