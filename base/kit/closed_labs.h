#pragma once
// In a handout a lab can be closed: solution/ has its stubs, and compiled objects of its solution
// (grader/classroom/handout/). A closed lab is graded as any other; what needs the source is
// refused.

#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

bool is_closed(const Kit& kit, const LabSpec& lab);

// The closed ones among the lab and those that it needs.
std::vector<const LabSpec*> closed_labs(const Kit& kit, const LabSpec& lab);

// "Linux-x86_64": objects of one system are no use on another.
std::string name_of_system();

// Where the objects of a closed lab are, for this system.
fs::path prebuilt_folder(const Kit& kit, const LabSpec& lab);

// Before a command that compares with the solution of a closed lab.
inline constexpr const char* kWhenOpen = "when your course has opened the solution, ";

// The last heading of each lab's README: what to compare when the lab is finished.
inline constexpr const char* kComparisonHeading = "Two diffs";

// Throws UsageError: the objects of a closed lab are for other systems only.
void refuse_other_system(const Kit& kit, const LabSpec& lab);

// command: "./lab diff", which needs the source of the lab. Throws UsageError if it is closed.
void refuse_if_closed(const Kit& kit, const LabSpec& lab, const std::string& command);

// The same for "./lab bench", which needs the source of those that the lab needs, too.
void refuse_closed(const Kit& kit, const LabSpec& lab, const std::string& command);

// The same for commands of those who work on the kit.
void refuse_handout(const Kit& kit, const std::string& command);

}  // namespace kv::grader
