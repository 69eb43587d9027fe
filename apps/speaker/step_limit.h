#pragma once
// Ends the program, with a message, when a step of the engine does not end. Counted is the time of
// the thread that steps; a system without such a timer counts that of all threads.

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
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

  // A new step, in this thread.
  void restart() const { limit(cpu_seconds_); }
  // No step.
  void rest() const { limit(0); }

 private:
#ifdef __linux__
  static void limit(long cpu_seconds) {
    static thread_local const timer_t timer = timer_of_this_thread();
    const itimerspec once = {.it_interval = {}, .it_value = {.tv_sec = cpu_seconds, .tv_nsec = 0}};
    ::timer_settime(timer, 0, &once, nullptr);
  }

  static timer_t timer_of_this_thread() {
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGPROF;
    timer_t timer = {};
    ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
    return timer;
  }
#else
  static void limit(long cpu_seconds) {
    const itimerval once = {.it_interval = {}, .it_value = {.tv_sec = cpu_seconds, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &once, nullptr);
  }
#endif

  static std::string& message() {
    static std::string text;
    return text;
  }

  long cpu_seconds_;
};

}  // namespace kv
