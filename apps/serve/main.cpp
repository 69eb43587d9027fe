// The program of `./lab serve`.

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "apps/serve/server.h"
#include "apps/speaker/run_program.h"

namespace kv::serve {
namespace {

using std::chrono::milliseconds;

// From the first signal to the end of the program, at most: requests have 8 s to finish, the last
// step 1 s, and the ends of answers 1 s.
constexpr milliseconds kToEnd{10'000};
constexpr milliseconds kForStep{1'000};
constexpr milliseconds kForAnswers{1'000};
constexpr milliseconds kAfterSecondSignal{1'500};
constexpr milliseconds kBetweenSignals{20};

// The signals that end the server. Blocked in all threads, so that one can wait for them.
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Whether one of the signals came in the next moments.
bool is_to_end(const sigset_t& signals) {
  const timespec patience = {.tv_sec = 0,
                             .tv_nsec = std::chrono::nanoseconds(kBetweenSignals).count()};
  return ::sigtimedwait(&signals, nullptr, &patience) > 0;
}

// The time that is left to the program.
class Countdown {
 public:
  explicit Countdown(const sigset_t& signals) : signals_(signals) {}

  // Waits until it is true; false: there is only so much time left. One more signal shortens it.
  template <typename Condition>
  bool wait(const Condition& is_true, milliseconds reserve) {
    while (!is_true()) {
      const auto now = std::chrono::steady_clock::now();
      if (now + reserve >= end_) return false;
      if (is_to_end(signals_)) end_ = std::min(end_, now + kAfterSecondSignal);
    }
    return true;
  }

 private:
  const sigset_t signals_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + kToEnd;
};

// Until a signal, or until the tree throws.
void wait_for_the_end(const AsyncEngine& engine, const sigset_t& signals) {
  while (!is_to_end(signals))
    if (engine.failure()) return;
}

void finish_requests(AsyncEngine& engine, Countdown& countdown) {
  const milliseconds reserve = kForStep + kForAnswers;
  std::printf("stopping: %zu requests have %lld s to finish\n", engine.num_open_requests(),
              static_cast<long long>((kToEnd - reserve) / std::chrono::seconds(1)));
  std::fflush(stdout);
  engine.refuse_more();
  countdown.wait([&] { return engine.num_open_requests() == 0; }, reserve);
}

// The program ends here if the present step does not.
void stop_after_step(AsyncEngine& engine, Countdown& countdown) {
  engine.stop_after_step();
  if (countdown.wait([&] { return engine.has_stopped(); }, kForAnswers)) return;

  std::fprintf(stderr,
               "serve: stopped in the middle of a step, %zu requests dropped; if it had no end, %s "
               "finds the loop\n",
               engine.num_open_requests(), kGrade);
  std::_Exit(2);
}

void report(const AsyncEngine& engine, std::size_t num_dropped) {
  if (const std::exception_ptr failure = engine.failure()) std::rethrow_exception(failure);
  std::printf("stopped: %zu requests dropped\n", num_dropped);
}

void serve(Options options) {
  // Why first: until then a signal ends the program.
  Speaker speaker = load_speaker(options.model, options.num_threads);
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a client that has gone is no error

  Server server(std::move(options), std::move(speaker));
  AsyncEngine& engine = server.engine();
  std::printf("serving at %s; Ctrl-C ends it\n", server.url().c_str());
  std::fflush(stdout);
  std::thread http([&server] { server.run(); });
  wait_for_the_end(engine, signals);

  Countdown countdown(signals);
  if (!engine.failure()) finish_requests(engine, countdown);
  const std::size_t num_dropped = engine.num_open_requests();
  stop_after_step(engine, countdown);
  // Why the exit: no thread can be ended that still waits for its client, or reads a long prompt.
  if (!countdown.wait([&] { return server.stop(); }, milliseconds(0))) {
    const int status = run_program("serve", kGrade, [&] { report(engine, num_dropped); });
    std::fflush(stdout);
    std::_Exit(status);
  }
  http.join();
  report(engine, num_dropped);
}

}  // namespace
}  // namespace kv::serve

int main(int argc, char** argv) {
  return kv::run_program("serve", kv::kGrade, [&] {
    kv::serve::serve(kv::serve::read_options(kv::read_pairs(argc, argv)));
  });
}
