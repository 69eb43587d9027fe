#pragma once
// What an instructor should look at in a submission: in its text, and in its objects.

#include <string>
#include <string_view>
#include <vector>

#include "base/text/text.h"
#include "grader/engine/submission/submission.h"

namespace kv::grader {

// The first three flags of each file and kind, "file.cpp:12 has asm"; the fourth says how many more
// there are. A flag is a place, a blank, a verb and what it found.
std::vector<std::string> few_of_each_kind(const std::vector<std::string>& flags);

// What is below, for one lab, few of each kind.
std::vector<std::string> flags_of(const Submission& submission,
                                  const LabSpec& lab,
                                  const fs::path& objects_folder);

// What the text of a submitted file has and an honest solution does not need, with its line:
// assembly, attributes that change how the compiler instruments or links a function, includes from
// outside of the tree and the contract, and macros over the kit's names or C++'s words.
std::vector<std::string> source_flags(std::string_view source, const std::string& file);

// What a copy of a contract's header has that could be meant for the tests alone, which include it:
// conditions, macros, names of the test library and of the grader.
std::vector<std::string> header_flags(std::string_view source, const std::string& file);

// Names that the object files of a submission define or need, and that no honest solution does:
// whatever is not of the contract, of the standard library, or what the compiler adds.
std::vector<std::string> symbol_flags(const fs::path& objects_folder);

}  // namespace kv::grader
