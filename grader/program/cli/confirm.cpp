#include "grader/program/cli/confirm.h"

#include <unistd.h>

#include <iostream>

#include "grader/program/base/errors.h"

namespace kv::grader {

bool confirm(const std::string& question, const std::string& refusal) {
  if (::isatty(STDIN_FILENO) == 0) throw UsageError(refusal);
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

}  // namespace kv::grader
