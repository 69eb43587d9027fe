// Threads that share a task: each part once, and its exception.

#include "07-serving/given/workers.h"

#include <csignal>
#include <stdexcept>

#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

TEST(Workers, EachPartOnceInEachOfManyTasks) {
  for (const std::size_t num_threads : {0u, 1u, 2u, 5u}) {
    Workers workers(num_threads);
    std::vector<std::size_t> calls(workers.num_threads());
    for (int task = 0; task < 2'000; ++task) workers.run([&](std::size_t part) { ++calls[part]; });
    for (const std::size_t num : calls) EXPECT_SAME(num, 2'000u) << num_threads << " threads";
  }
}

TEST(Workers, PartsAreOnThreadsOfTheirOwn) {
  Workers workers(3);
  EXPECT_SAME(workers.num_threads(), 3u) << "as many as were asked for";
  std::vector<std::thread::id> threads(3);
  workers.run([&](std::size_t part) { threads[part] = std::this_thread::get_id(); });
  EXPECT_HOLDS(threads[0] == std::this_thread::get_id()) << "part 0 is the caller's";
  EXPECT_HOLDS(threads[1] != threads[0] && threads[2] != threads[0] && threads[1] != threads[2])
      << "the others are not";
}

TEST(Workers, TheExceptionOfAPartIsThrownWhenAllAreDone) {
  Workers workers(3);
  for (const std::size_t failing : {0u, 1u, 2u}) {
    std::vector<int> calls(3);
    const auto work = [&](std::size_t part) {
      ++calls[part];
      if (part == failing) throw std::runtime_error("part");
    };
    EXPECT_THROW(workers.run(work), std::runtime_error);
    EXPECT_SAME(calls, std::vector<int>({1, 1, 1})) << "the others have done theirs";
  }
}

TEST(Workers, OldExceptionsAreForgotten) {
  for (const std::size_t num_threads : {1u, 3u}) {
    Workers workers(num_threads);
    EXPECT_THROW(workers.run([](std::size_t) { throw std::runtime_error("each part"); }),
                 std::runtime_error);
    EXPECT_NO_THROW(workers.run([](std::size_t) {})) << num_threads << " threads";
  }
}

// A server waits for signals in one thread; in another one, they would end it at once.
TEST(Workers, TheirThreadsGetNoSignals) {
  Workers workers(2);
  sigset_t of_worker, of_caller;
  workers.run([&](std::size_t part) {
    ::pthread_sigmask(SIG_BLOCK, nullptr, part == 1 ? &of_worker : &of_caller);
  });
  EXPECT_SAME(::sigismember(&of_worker, SIGTERM), 1) << "blocked in a worker";
  EXPECT_SAME(::sigismember(&of_caller, SIGTERM), 0) << "not in the program's own thread";
  EXPECT_SAME(::sigismember(&of_worker, SIGSEGV), 0) << "a fault of a worker has its handler";
}

}  // namespace
}  // namespace kv::grader
