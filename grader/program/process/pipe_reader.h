#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>

namespace kv::grader {

// One end of a pipe that a child writes: what came out of it, and the lines as they come.
class PipeReader {
 public:
  PipeReader(int fd, std::size_t max_bytes) : fd_(fd), max_bytes_(max_bytes) {
    if (fd_ >= 0) ::fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  ~PipeReader() { close(); }
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  int fd() const { return fd_; }
  std::string take() { return std::move(text_); }

  void read_available(const std::function<void(const std::string&)>& on_line) {
    std::array<char, 16 * 1024> bytes;
    ssize_t size = 0;
    while (fd_ >= 0 && (size = ::read(fd_, bytes.data(), bytes.size())) > 0) {
      const std::string_view chunk(bytes.data(), static_cast<std::size_t>(size));
      text_ += chunk.substr(0, max_bytes_ - std::min(max_bytes_, text_.size()));
      if (on_line) tell_lines(chunk, on_line);
    }
    if (size == 0) close();
  }

 private:
  void tell_lines(std::string_view chunk, const std::function<void(const std::string&)>& on_line) {
    for (const char c : chunk) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      on_line(line_);
      line_.clear();
    }
  }

  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  int fd_;
  std::size_t max_bytes_;
  std::string text_;
  std::string line_;
};

}  // namespace kv::grader
