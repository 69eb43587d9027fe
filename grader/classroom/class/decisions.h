#pragma once
// What a teacher decides beside the tests: points by hand, more time, and what may be late over a
// term.

#include <string>
#include <vector>

#include "grader/classroom/class/roster.h"

namespace kv::grader::classroom {

// A CSV file with a line "id,points,hours,reason": the core points "90", or "+5" and "-5" as a
// change of what the tests give; the hours of an extension; either may be empty, but not the
// reason. Throws UsageError: it is none, or an id is not in the roster.
void apply_decisions(const fs::path& file, std::vector<Person>& people);

// Each person may be so many hours late over a term, in all, for nothing. The file of the term has
// a line "id,labs,hours" for what was used, and gets what is used now; labs: "01-03". Throws
// UsageError.
void apply_grace(double hours,
                 const fs::path& term,
                 const std::string& labs,
                 std::vector<Person>& people);

}  // namespace kv::grader::classroom
