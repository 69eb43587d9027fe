#pragma once
// Notices when the files that count for a grade have another content. Other files in their folder
// do not count: copies that an editor makes, notes, objects.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/desk/steps/standing.h"

namespace kv::grader::watch {

class FileChanges {
 public:
  FileChanges(const steps::Tree& tree, std::vector<const LabSpec*> labs);
  ~FileChanges();
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;

  // Readable when a file of the folders has been written; -1 on systems without inotify. Network
  // drives and shared folders give no notice, so dates are compared too.
  int fd() const { return fd_; }

  // How long the caller may wait for fd() before it calls changed_labs().
  int wait_milliseconds() const;

  // The labs whose files have another content than at the last call that named them. A save counts
  // when nothing has been written for a moment: an editor may empty a file before it writes it,
  // write a second time, or rename.
  std::vector<const LabSpec*> changed_labs();

  // What the files are now is no change.
  void accept_current_files();

 private:
  using Clock = std::chrono::steady_clock;

  bool read_notices();   // has inotify written one?
  void watch_folders();  // again, for a folder may have been replaced
  std::string dates() const;
  std::string content_of(const LabSpec& lab) const;
  std::vector<fs::path> files_of(const LabSpec& lab) const;

  steps::Tree tree_;
  std::vector<const LabSpec*> labs_;
  int fd_ = -1;
  std::string dates_;
  std::map<const LabSpec*, std::string> contents_;
  std::optional<Clock::time_point> written_at_ = {};  // none: all has been compared since
};

}  // namespace kv::grader::watch
