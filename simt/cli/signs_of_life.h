#pragma once
// What ./lab simt says while programs run: after two seconds a line, and then how far they are.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/text/text.h"
#include "simt/status/run_status.h"

namespace kv::grader {

// A run, and the file in which it says what it does.
struct WatchedRun {
  std::string name;  // "forward"
  fs::path status;
};

// "sgemm: block 812 of 4096 in the forward run, about 25 s more". `seconds`: since the launch
// began.
std::string sign_of_life(const std::string& run, const simt::RunStatus& status, double seconds);

// From its beginning to its end, a line on standard error: on a terminal always the same one,
// elsewhere a new one every ten seconds.
class SignsOfLife {
 public:
  explicit SignsOfLife(const std::vector<WatchedRun>& runs);
  ~SignsOfLife();
  SignsOfLife(const SignsOfLife&) = delete;
  SignsOfLife& operator=(const SignsOfLife&) = delete;

 private:
  struct Run {
    std::string name;
    simt::RunStatus* status;  // nullptr: it cannot be seen
  };

  void watch();
  void show() const;

  std::vector<Run> runs_ = {};
  bool is_terminal_;
  bool is_over_ = false;
  std::mutex mutex_ = {};
  std::condition_variable over_ = {};
  std::thread thread_ = {};  // the last member: it uses the others
};

}  // namespace kv::grader
