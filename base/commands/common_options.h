#pragma once
// Options that several commands have.

#include <string>
#include <vector>

#include "base/commands/command_form.h"

namespace kv::grader {

// --labs, of the commands that take submissions.
void declare_only_labs(CommandForm& form, std::vector<std::string>& labs);

void declare_tree(CommandForm& form, std::string& tree);

// The argument LAB of the commands that take labs; what is done with them, as "grade".
void declare_labs(CommandForm& form, std::vector<std::string>& labs, const std::string& what);

void declare_seed(CommandForm& form, Variable seed, const std::string& purpose);

// A file that is written after the work, and looked at before it.
void declare_output(CommandForm& form,
                    const std::string& name,
                    std::string& file,
                    const std::string& purpose);

}  // namespace kv::grader
