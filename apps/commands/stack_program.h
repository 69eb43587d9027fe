#pragma once
// Programs that a stack of labs is linked into.

#include <string>
#include <vector>

#include "base/commands/command_line.h"
#include "base/kit/kit.h"
#include "grader/engine/submission/submission.h"

namespace kv::grader {

// Whose files are built, and into what.
struct StackProgram {
  std::string command;               // "chat": of "lab07_chat"
  std::vector<const LabSpec*> labs;  // that the tree's files are of; the last one has the program
  std::string objects;               // "stack": of "lab07_stack", what is made of these files
};

// "chat" or another program of the lab's files and those of all labs that it needs.
StackProgram program_of_stack(const Kit& kit, const LabSpec& lab, const std::string& command);

// The program, built. A lab that the last one needs and that is not done is the solution's, and it
// is said. Throws UsageError when a core step of the last one is not written.
fs::path build_finished_stack(const Kit& kit, const StackProgram& program, const std::string& tree);

// What it is built from, for a program that another compiler builds. Throws as build_finished_stack
// does.
struct StackFiles {
  Submission submission;              // its stage has the files of all labs
  std::vector<std::string> own_labs;  // ids of the labs that are the tree's
};
StackFiles files_of_finished_stack(const Kit& kit,
                                   const StackProgram& program,
                                   const std::string& tree);

struct BuiltStack {
  fs::path program;
  std::vector<std::string> own_labs;  // ids of the labs that are the tree's
};

// The program with every lab of the tree that is done, and with `asked`, done or not; null: none.
BuiltStack build_stack_so_far(const Kit& kit,
                              const StackProgram& program,
                              const std::string& tree,
                              const LabSpec* asked);

// Builds and runs "chat" or "serve" with these arguments; Ctrl-C is for that program. Gives its
// exit code.
int run_stack(const Kit& kit,
              const LabSpec& lab,
              const std::string& command,
              const std::string& tree,
              const std::vector<std::string>& arguments);

}  // namespace kv::grader
