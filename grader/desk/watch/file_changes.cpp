#include "grader/desk/watch/file_changes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#ifdef __linux__
#include <sys/inotify.h>
#endif

namespace kv::grader::watch {
namespace {

constexpr std::chrono::milliseconds kQuietTime{40};  // after which a save is over
constexpr std::chrono::milliseconds kBetweenLooks{500};

}  // namespace

FileChanges::FileChanges(const steps::Tree& tree, std::vector<const LabSpec*> labs)
    : tree_(tree), labs_(std::move(labs)) {
#ifdef __linux__
  fd_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
  watch_folders();
  accept_current_files();
}

FileChanges::~FileChanges() {
  if (fd_ >= 0) ::close(fd_);
}

int FileChanges::wait_milliseconds() const {
  return static_cast<int>((written_at_ ? kQuietTime : kBetweenLooks).count());
}

std::vector<const LabSpec*> FileChanges::changed_labs() {
  const Clock::time_point now = Clock::now();
  const bool has_notice = read_notices();  // a date can be the same after a second save
  if (std::string latest = dates(); has_notice || latest != dates_) {
    dates_ = std::move(latest);
    written_at_ = now;
  }
  if (!written_at_ || now - *written_at_ < kQuietTime) return {};
  written_at_.reset();
  watch_folders();
  std::vector<const LabSpec*> changed;
  for (const LabSpec* lab : labs_) {
    std::string content = content_of(*lab);
    if (content == contents_[lab]) continue;
    contents_[lab] = std::move(content);
    changed.push_back(lab);
  }
  return changed;
}

void FileChanges::accept_current_files() {
  read_notices();
  dates_ = dates();
  written_at_.reset();
  for (const LabSpec* lab : labs_) contents_[lab] = content_of(*lab);
}

bool FileChanges::read_notices() {
  std::array<char, 4096> events;
  bool has_notice = false;
  while (fd_ >= 0 && ::read(fd_, events.data(), events.size()) > 0) has_notice = true;
  return has_notice;
}

void FileChanges::watch_folders() {
#ifdef __linux__
  constexpr auto kEvents = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVE | IN_CREATE | IN_DELETE;
  for (const LabSpec* lab : labs_)
    ::inotify_add_watch(fd_, (tree_.folder / lab->folder).c_str(), kEvents);
#endif
}

std::string FileChanges::dates() const {
  std::string text;
  for (const LabSpec* lab : labs_) {
    for (const fs::path& file : files_of(*lab)) {
      std::error_code error;
      const auto date = fs::last_write_time(file, error);
      // Why as nanoseconds: a library may count in a type that std::to_string does not take.
      using std::chrono::duration_cast, std::chrono::nanoseconds;
      const auto age = duration_cast<nanoseconds>(date.time_since_epoch());
      text += error ? "-" : std::to_string(age.count());
      text += " " + std::to_string(fs::file_size(file, error)) + "\n";
    }
  }
  return text;
}

// A file that cannot be read has no content; the grading says why.
std::string FileChanges::content_of(const LabSpec& lab) const {
  std::string content;
  for (const fs::path& file : files_of(lab)) {
    std::error_code error;
    const bool is_there = fs::is_regular_file(file, error);
    try {
      content += is_there ? read_file(file) : "";
    } catch (const std::exception&) {
      content += "?";
    }
    content += is_there ? "\n1\n" : "\n0\n";
  }
  return content;
}

std::vector<fs::path> FileChanges::files_of(const LabSpec& lab) const {
  std::vector<fs::path> files;
  for (const auto* names : {&lab.files, &lab.headers})
    for (const std::string& name : *names) files.push_back(tree_.folder / lab.folder / name);
  return files;
}

}  // namespace kv::grader::watch
