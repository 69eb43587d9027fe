#pragma once
// Which files a program may read and write, as the Linux kernel's Landlock enforces it. What it
// starts has the same limits, and none of them can be taken back.

#include "base/text/text.h"

namespace kv::grader {

struct FileAccess {
  std::vector<fs::path> readable;  // files, or folders with all that is in them; may be executed
  std::vector<fs::path> writable;  // and readable
};

// What a compiler and a linked program read: the system's folders, and those of LD_LIBRARY_PATH.
std::vector<fs::path> system_folders();

// The version of Landlock's interface; 0 if this system has none.
int landlock_version();

// The rules as a file descriptor, made before a fork because it allocates memory.
class LandlockRules {
 public:
  // A path that is not there is left out. Throws MachineFailed when the kernel refuses the rules.
  explicit LandlockRules(const FileAccess& access);
  ~LandlockRules();
  LandlockRules(const LandlockRules&) = delete;
  LandlockRules& operator=(const LandlockRules&) = delete;

  // In the new process. Beside files: TCP is refused from version 4 on, signals to processes
  // that are not under these rules from version 6 on. False: the kernel refuses.
  bool enforce() const;
  int fd() const { return fd_; }  // to be kept open until then; -1: there is none

 private:
  int fd_ = -1;  // without Landlock
};

}  // namespace kv::grader
