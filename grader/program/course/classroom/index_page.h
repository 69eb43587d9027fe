#pragma once
// The class as a page, with a link to the page of each submission.

#include "grader/program/base/kit/kit.h"
#include "grader/program/course/classroom/class_state.h"

namespace kv::grader::classroom {

// The page has the rows that are there.
std::string index_page(const Kit& kit, const ClassState& state);

// Beside index.html.
std::string page_file(const std::string& name);  // "students/ada.html"

}  // namespace kv::grader::classroom
