#pragma once
// What the text of a file that was handed in says: may it be a student's file of a lab?

#include <string>

#include "base/kit/manifest.h"

namespace kv::grader {

// Empty: it cannot be read, or is too large.
std::string text_in(const fs::path& file);

// Why a file is no source, and what to do; empty: it is one. Why not compiled: the compiler would
// say that functions are missing, and not that the file is.
std::string source_objection(const fs::path& file, const std::string& text);

// Has a file of a lab nothing but its stubs?
bool is_untouched(const LabSpec& lab, const std::string& target, const std::string& text);

// Has a text a function of a step of this file?
bool has_step_of(const LabSpec& lab, const std::string& target, const std::string& text);

}  // namespace kv::grader
