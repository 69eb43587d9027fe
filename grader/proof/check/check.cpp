#include "grader/proof/check/check.h"

#include <cstdio>

namespace kv::grader {

void Checks::expect(bool holds, const std::string& name, const std::string& why) {
  if (holds) {
    ++num_passed_;
    return print("ok      " + name + "\n");
  }

  failed_.push_back(name);
  print("FAILED  " + name + "\n");
  if (!why.empty()) print(indent(why, "          "));
}

void Checks::unavailable(const std::string& name, const std::string& tool) {
  ++num_unavailable_;
  print("absent  " + name + ": needs " + tool + "\n");
}

void Checks::print(const std::string& text) {
  if (when_ == Print::kLater) {
    text_ += text;
    return;
  }
  std::printf("%s", text.c_str());
  std::fflush(stdout);
}

void Checks::add(const Checks& more) {
  count(more.num_passed_, more.num_unavailable_, more.failed_);
  print(more.text_);
}

void Checks::count(int num_passed, int num_unavailable, const std::vector<std::string>& failed) {
  num_passed_ += num_passed;
  num_unavailable_ += num_unavailable;
  failed_.insert(failed_.end(), failed.begin(), failed.end());
}

bool Checks::report(bool absent_tool_fails) const {
  for (const std::string& name : failed_) std::printf("FAILED  %s\n", name.c_str());
  if (num_unavailable_ > 0) std::printf("%d unavailable\n", num_unavailable_);

  const std::size_t num_failed =
      failed_.size() + static_cast<std::size_t>(absent_tool_fails ? num_unavailable_ : 0);
  std::printf("%d passed, %zu failed\n", num_passed_, num_failed);
  return num_failed == 0;
}

}  // namespace kv::grader
