#include "grader/program/base/commands/confirm.h"

#include <unistd.h>

#include <iostream>

#include "common/errors.h"

namespace kv::grader {

bool confirm(const std::string& question, const std::string& refusal) {
  if (::isatty(STDIN_FILENO) == 0) throw UsageError(refusal);
  std::cout << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

}  // namespace kv::grader
