#include "grader/program/base/build/build_progress.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "common/text.h"

namespace kv::grader {
namespace {

constexpr std::chrono::seconds kBetweenLines{10};

// "lab01_tests" is a part of lab 01.
std::string name_of(const std::string& target) {
  constexpr std::size_t kIdBegin = 3, kIdEnd = 5;
  const bool is_of_lab = target.starts_with("lab") && target.find('_') == kIdEnd;
  return is_of_lab ? "lab " + target.substr(kIdBegin, kIdEnd - kIdBegin) : target;
}

// "3 of 14" or "21%"; empty if the line is of another kind.
std::string counter_in(const std::string& line) {
  const std::size_t end = line.find(']');
  if (line.empty() || line[0] != '[' || end == std::string::npos) return "";
  const std::string counter = line.substr(1, end - 1);
  return replace_all(counter.substr(counter.find_first_not_of(' ')), "/", " of ");
}

}  // namespace

BuildProgress::BuildProgress(const std::string& target)
    : form_(Form::kNone),
      what_("building " + name_of(target)),
      last_(std::chrono::steady_clock::now()) {
  if (::isatty(STDERR_FILENO) != 0) {
    form_ = Form::kOverwritten;
  } else if (std::getenv("LAB_PROGRESS") != nullptr) {
    form_ = Form::kLines;
  }
}

BuildProgress::~BuildProgress() {
  if (is_shown_ && form_ == Form::kOverwritten) std::cerr << "\r\033[K";
}

void BuildProgress::read(const std::string& line) {
  const std::string counter = counter_in(line);
  const auto now = std::chrono::steady_clock::now();
  if (counter.empty() || form_ == Form::kNone) return;
  if (form_ == Form::kOverwritten) {
    std::cerr << "\r\033[K" << what_ << ": " << counter << std::flush;
  } else if (now - last_ >= kBetweenLines) {
    std::cerr << "lab: " << what_ << ": " << counter << std::endl;
    last_ = now;
  }
  is_shown_ = true;
}

}  // namespace kv::grader
