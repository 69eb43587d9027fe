#pragma once
// Ends the program, with a message, when a step of the engine does not end.

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace kv {

class StepLimit {
 public:
  // grade: the command that finds the loop.
  StepLimit(const std::string& program, const std::string& grade, long cpu_seconds)
      : cpu_seconds_(cpu_seconds) {
    message() = "\n" + program + ": a step has taken " + std::to_string(cpu_seconds) +
                " s of processor time and is not over; " + grade + " finds the loop\n";
    std::signal(SIGPROF, [](int) {
      const auto written = ::write(STDERR_FILENO, message().data(), message().size());
      ::_exit(written < 0 ? 3 : 2);
    });
  }

  // A new step.
  void restart() const { limit(cpu_seconds_); }
  // No step: what other threads compute does not count.
  void rest() const { limit(0); }

 private:
  static void limit(long cpu_seconds) {
    const itimerval once = {.it_interval = {}, .it_value = {.tv_sec = cpu_seconds, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &once, nullptr);
  }

  static std::string& message() {
    static std::string text;
    return text;
  }

  long cpu_seconds_;
};

}  // namespace kv
