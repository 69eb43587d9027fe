#include "grader/program/mutate/complaints.h"

#include <cstdlib>

namespace kv::grader::mutate {

void Complaints::read(const std::string& line) {
  const auto says = [&](std::string_view words) { return line.find(words) != line.npos; };
  const std::size_t at = line.find(kMutantLine);
  const bool names_mutant = at != line.npos;
  const int mutant = names_mutant ? std::atoi(line.c_str() + at + kMutantLine.size()) : 0;
  if (says("error:") || says("warning:")) {
    last_was_error_ = says("error:");
    if (last_was_error_) mutants_.merge(led_here_);
    led_here_.clear();
    if (last_was_error_ && names_mutant) mutants_.insert(mutant);
  } else if (names_mutant && says("required")) {
    led_here_.insert(mutant);
  } else if (names_mutant && says("in instantiation of") && last_was_error_) {
    mutants_.insert(mutant);
  }
}

}  // namespace kv::grader::mutate
