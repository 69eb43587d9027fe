// Threads that share the parts of a task: each part once, and its exception.

#include "07-serving/given/workers.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <latch>
#include <stdexcept>

#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

TEST(Workers, EachPartOnceInEachOfManyTasks) {
  for (const std::size_t num_threads : {0u, 1u, 2u, 5u}) {
    Workers workers(num_threads);
    for (const std::size_t num_parts : {0u, 1u, 2u, 7u, 100u}) {
      std::vector<std::size_t> calls(num_parts);
      for (int task = 0; task < 1'000; ++task)
        workers.run(num_parts, [&](std::size_t part) { ++calls[part]; });
      for (const std::size_t num : calls)
        EXPECT_SAME(num, 1'000u) << num_threads << " threads, " << num_parts << " parts";
    }
  }
}

TEST(Workers, EachThreadTakesPartsAndTheCallerIsOneOfThem) {
  Workers workers(3);
  ASSERT_SAME(workers.num_threads(), 3u) << "as many as were asked for";
  for (int task = 0; task < 100; ++task) {
    std::latch all_have_begun(3);  // so no thread can take two
    std::vector<std::thread::id> threads(3);
    workers.run(3, [&](std::size_t part) {
      threads[part] = std::this_thread::get_id();
      all_have_begun.arrive_and_wait();
    });
    EXPECT_SAME(std::ranges::count(threads, std::this_thread::get_id()), 1) << "the caller's part";
    EXPECT_HOLDS(threads[0] != threads[1] && threads[1] != threads[2] && threads[0] != threads[2])
        << "three threads";
  }
}

// The only other thread is held in a part: what is left is the caller's.
TEST(Workers, TheCallerTakesWhatNoOtherThreadTakes) {
  Workers workers(2);
  ASSERT_SAME(workers.num_threads(), 2u) << "as many as were asked for";
  const std::thread::id caller = std::this_thread::get_id();
  std::latch others_are_done(7);
  std::atomic<int> num_of_caller = 0;
  std::atomic<bool> is_one_held = false;
  workers.run(8, [&](std::size_t) {
    if (std::this_thread::get_id() != caller && !is_one_held.exchange(true))
      return others_are_done.wait();
    // The caller does not take the last part before the other thread has one.
    if (num_of_caller == 6)
      while (!is_one_held) std::this_thread::yield();
    if (std::this_thread::get_id() == caller) ++num_of_caller;
    others_are_done.count_down();
  });
  EXPECT_SAME(num_of_caller.load(), 7) << "parts of the caller";
}

TEST(Workers, TheExceptionOfAPartIsThrownWhenAllAreDone) {
  Workers workers(3);
  for (const std::size_t failing : {0u, 1u, 4u}) {
    std::vector<int> calls(5);
    const auto work = [&](std::size_t part) {
      ++calls[part];
      if (part == failing) throw std::runtime_error("part");
    };
    EXPECT_THROW(workers.run(5, work), std::runtime_error);
    EXPECT_SAME(calls, std::vector<int>({1, 1, 1, 1, 1})) << "the others are done";
  }
}

TEST(Workers, OldExceptionsAreForgotten) {
  for (const std::size_t num_threads : {1u, 3u}) {
    Workers workers(num_threads);
    EXPECT_THROW(workers.run(4, [](std::size_t) { throw std::runtime_error("each part"); }),
                 std::runtime_error);
    EXPECT_NO_THROW(workers.run(4, [](std::size_t) {})) << num_threads << " threads";
  }
}

// A server waits for signals in one thread; in another one, they would end it at once.
TEST(Workers, TheirThreadsGetNoSignals) {
  Workers workers(2);
  sigset_t of_worker, of_caller;
  ASSERT_SAME(workers.num_threads(), 2u) << "as many as were asked for";
  const std::thread::id caller = std::this_thread::get_id();
  std::latch both_have_begun(2);
  workers.run(2, [&](std::size_t) {
    both_have_begun.arrive_and_wait();
    const bool is_caller = std::this_thread::get_id() == caller;
    ::pthread_sigmask(SIG_BLOCK, nullptr, is_caller ? &of_caller : &of_worker);
  });
  EXPECT_SAME(::sigismember(&of_worker, SIGTERM), 1) << "blocked in a worker";
  EXPECT_SAME(::sigismember(&of_caller, SIGTERM), 0) << "not in the program's own thread";
  EXPECT_SAME(::sigismember(&of_worker, SIGSEGV), 0) << "a fault of a worker has its handler";
}

}  // namespace
}  // namespace kv::grader
