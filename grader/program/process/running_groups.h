#pragma once
// The process groups that run now, so that Ctrl-C leaves none of them behind.

#include <sys/types.h>

namespace kv::grader {

class RunningGroup {
 public:
  explicit RunningGroup(pid_t group);
  ~RunningGroup();
  RunningGroup(const RunningGroup&) = delete;
  RunningGroup& operator=(const RunningGroup&) = delete;

 private:
  int place_;
};

}  // namespace kv::grader
