#include "grader/program/student/report/color.h"

#include <unistd.h>

namespace kv::grader {
namespace {

bool& is_in_color() {
  static bool is_on = ::isatty(STDOUT_FILENO) != 0;
  return is_on;
}

std::string colored(const char* code, const std::string& text) {
  return is_in_color() ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

}  // namespace

std::string green(const std::string& text) {
  return colored("32", text);
}

std::string red(const std::string& text) {
  return colored("31", text);
}

std::string bold(const std::string& text) {
  return colored("1", text);
}

void print_in_color() {
  is_in_color() = true;
}

}  // namespace kv::grader
