#pragma once
// Does one job at a time in a process of its own, so that it can be given up at any moment with all
// that it has started: no compiler and no test runs on.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

namespace kv::grader::watch {

// What a job prints is pages, and remarks on what it is doing now. Each ends with one of these.
inline constexpr char kPageEnd = '\f';
inline constexpr char kRemarkEnd = '\v';

class Runner {
 public:
  Runner();
  ~Runner() { give_up(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Gives up the job in progress and starts this one.
  void start(const std::function<void()>& job);
  void give_up();

  bool is_busy() const { return pid_ > 0; }
  int fd() const { return fd_; }  // readable when the job has printed or ended; -1: there is none

  bool read();                                       // without waiting; has a new page come?
  const std::string& page() const { return page_; }  // the last whole one; empty: none yet
  const std::string& remark() const { return remark_; }
  std::chrono::seconds age() const;  // time since the job began

 private:
  [[noreturn]] static void be_child(const std::function<void()>& job, int output);
  bool take_printed();
  void finish();

  pid_t pid_ = 0;
  int fd_ = -1;
  std::chrono::steady_clock::time_point started_ = {};
  std::string unread_ = {};
  std::string page_ = {};
  std::string remark_ = {};
};

}  // namespace kv::grader::watch
