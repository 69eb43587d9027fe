#pragma once
// One changed place of a student file of the solution.

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

// All mutants of a lab's files in `tree`, numbered from 1.
std::vector<Mutant> mutants_of(const LabSpec& lab, const fs::path& tree);

}  // namespace kv::grader::mutate
