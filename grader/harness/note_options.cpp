#include "grader/harness/note_options.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace kv::grader {

void note_options(std::initializer_list<Option> options) {
  static const char* const file = std::getenv("KV_OPTIONS");
  if (file == nullptr) return;
  std::string line;
  for (const Option& option : options)
    line += std::string(option.field) + " " + std::to_string(option.value) + " ";
  std::ofstream(file, std::ios::app) << line + "\n";  // Why at once: histories run in processes
}

}  // namespace kv::grader
