#pragma once
// Questions for a talk with a student, made from the student's own code. The answer of each was
// found by running it.

#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader::viva {

struct Question {
  std::string text;
  std::vector<std::string> code = {};  // lines that it is about
  std::vector<std::string> answer = {};
};

// Lines of the student's functions that were changed or taken out: which test fails first?
// tree: with all files of the lab. The functions differ from question to question, if they can.
std::vector<Question> questions_on_changes(const Kit& kit,
                                           const LabSpec& lab,
                                           const fs::path& tree,
                                           std::uint64_t seed,
                                           std::size_t count);

// Calls: what does the student's code print?
std::vector<Question> questions_on_calls(const Kit& kit,
                                         const LabSpec& lab,
                                         const fs::path& tree,
                                         std::uint64_t seed,
                                         std::size_t count);

// A page to print: the questions with room for notes, then the answers, for the examiner alone.
std::string page_of(const std::string& title, const std::vector<Question>& questions);

}  // namespace kv::grader::viva
