#pragma once
// Where files were handed in, in the words of the person who grades them. The tree that is graded
// is a copy then, with a path that says nothing to a reader.

#include <string>

#include "common/text.h"

namespace kv::grader {

struct Origin {
  std::string place = {};   // as it was given: a folder, an archive, the URL of a repository
  std::string commit = {};  // of a repository; else empty

  bool is_known() const { return !place.empty(); }
  std::string name() const { return place + (commit.empty() ? "" : " " + commit); }
};

}  // namespace kv::grader
