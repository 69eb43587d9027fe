#pragma once
// The Markdown pages of a handout. They are the kit's, without what is not true for the copy.

#include <map>
#include <string>

#include "grader/program/course/handout/terms.h"

namespace kv::grader::handout {

// From the path of each page among the copies to its text in the handout:
// - lines from "<!-- whole kit only -->" to "<!-- end -->" are left out, and so are those from
//   "<!-- lab 04 only -->" on if that lab is not handed out; of a page that has no other lines, the
//   text is empty: it is to be left out;
// - the comment that begins with "<!-- handout only" becomes text, with the labs in place of "LABS"
//   and the system of the compiled objects in place of "SYSTEM";
// - of a lab that is not handed out there are no rows in tables, no commands, and none of what a
//   grading prints; the sums in README.md, of a first grading and of hours, are the other labs';
// - a link to a file that is not there becomes plain text.
std::map<std::string, std::string> pages_of(const Kit& kit,
                                            const Terms& terms,
                                            const std::map<std::string, fs::path>& copies);

}  // namespace kv::grader::handout
