#pragma once
// One changed place of a student file of the solution, or of a check that it is given.

#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader::mutate {

struct Mutant {
  int id;                             // chooses it at run time; 0 is the unchanged solution
  std::string file;                   // "01-free-queue/compact_free_queue.cpp"
  std::string function;               // "CompactFreeQueue::remove"
  std::string op;                     // "relational"
  std::size_t line;                   // from 1
  std::vector<std::string> original;  // the lines that change, without their margin
  std::vector<std::string> mutated;
  std::size_t body_begin;  // where the function's body begins in the file's text
  std::size_t body_end;
  std::string body;  // changed

  // The text of the file with this one change.
  std::string in(const std::string& source) const;
};

bool is_header(const std::string& file);

// The files of a lab that are mutated in `tree`: the student's, and headers that the tree has. Of a
// header, only what it refuses is changed.
std::vector<std::string> mutated_files(const LabSpec& lab, const fs::path& tree);

// All mutants of these files, numbered from 1.
std::vector<Mutant> mutants_of(const LabSpec& lab, const fs::path& tree);

}  // namespace kv::grader::mutate
