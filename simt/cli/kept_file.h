#pragma once
// A file that was made by a command, and is kept while nothing that it is made of has changed.

#include <string>
#include <vector>

#include "base/text/text.h"

namespace kv::grader {

class KeptFile {
 public:
  // made_with: the command, and what else decides besides the files that it reads.
  KeptFile(fs::path file, std::string made_with)
      : file_(std::move(file)), made_with_(std::move(made_with)) {}

  bool is_current() const;

  // It was made now, from these files.
  void remember(const std::vector<fs::path>& read) const;

 private:
  fs::path stamp() const { return file_.string() + ".stamp"; }
  std::string digest(const std::vector<fs::path>& read) const;

  fs::path file_;
  std::string made_with_;
};

// The files that a compiler has read, as its option -MD writes them.
std::vector<fs::path> files_read(const fs::path& dependencies);

}  // namespace kv::grader
