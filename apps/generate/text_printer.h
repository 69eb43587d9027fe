#pragma once
// Prints what the requests say: the text of a single one while it comes, those of several each when
// it ends.

#include <string>
#include <vector>

#include "07-serving/given/schedule.h"
#include "apps/speaker/speaker.h"

namespace kv::generate {

class TextPrinter {
 public:
  TextPrinter(const Speaker& speaker, const std::vector<std::string>& prompts);

  // The new tokens of a request.
  void print(const EngineCoreOutput& output);

 private:
  const Speaker& speaker_;
  std::vector<std::string> texts_;  // [request], what is not printed yet
};

}  // namespace kv::generate
