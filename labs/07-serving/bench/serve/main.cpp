// The program of `./lab serve`.

#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "07-serving/bench/serve/server.h"
#include "07-serving/bench/speaker/run_program.h"

namespace kv::serve {
namespace {

constexpr int kSecondsToFinish = 10;
constexpr int kSecondsForAStep = 2;

// The signals that end the server. Blocked in all threads, so that one can wait for them.
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Whether one of the signals came in the next moments.
bool is_to_end(const sigset_t& signals, int seconds) {
  const timespec patience = {.tv_sec = seconds, .tv_nsec = seconds == 0 ? 100'000'000 : 0};
  return ::sigtimedwait(&signals, nullptr, &patience) > 0;
}

// Until a signal, or until the tree throws. Open requests have some time to finish; a second
// signal takes it from them.
void wait_for_the_end(Server& server, const sigset_t& signals) {
  while (!is_to_end(signals, 0))
    if (server.engine().failure()) return;

  std::printf("stopping: %zu requests have %d s to finish\n", server.engine().num_open_requests(),
              kSecondsToFinish);
  std::fflush(stdout);
  server.engine().refuse_more();
  for (int i = 0; i < 10 * kSecondsToFinish && server.engine().num_open_requests() > 0; ++i)
    if (is_to_end(signals, 0)) return;
}

// The program ends here if the present step does not, or at one more signal.
void stop_after_step(AsyncEngine& engine, const sigset_t& signals) {
  engine.stop_after_step();
  for (int i = 0; i < 10 * kSecondsForAStep && !engine.has_stopped(); ++i)
    if (is_to_end(signals, 0)) break;
  if (engine.has_stopped()) return;

  std::fprintf(stderr,
               "serve: stopped in the middle of a step, %zu requests dropped; if it had no end, %s "
               "finds the loop\n",
               engine.num_open_requests(), kGrade);
  std::_Exit(2);
}

void serve(Options options) {
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a client that has gone is no error

  Server server(std::move(options));
  std::printf("serving at %s; Ctrl-C ends it\n", server.url().c_str());
  std::fflush(stdout);
  std::thread http([&server] { server.run(); });
  wait_for_the_end(server, signals);

  const std::size_t num_dropped = server.engine().num_open_requests();
  stop_after_step(server.engine(), signals);
  server.stop();
  http.join();
  if (const std::exception_ptr failure = server.engine().failure()) std::rethrow_exception(failure);
  std::printf("stopped: %zu requests dropped\n", num_dropped);
}

}  // namespace
}  // namespace kv::serve

int main(int argc, char** argv) {
  return kv::run_program("serve", kv::kGrade, [&] {
    kv::serve::serve(kv::serve::read_options(kv::read_pairs(argc, argv)));
  });
}
