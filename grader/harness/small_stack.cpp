#include "grader/harness/small_stack.h"

#include <pthread.h>
#include <signal.h>

#include <exception>

#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr std::size_t kStackSize = 64 * 1024;

struct Job {
  const std::function<void()>& call;
  std::exception_ptr thrown = {};
};

void* run(void* its_job) {
  Job& job = *static_cast<Job*>(its_job);
  stack_t before;  // Why put back: AddressSanitizer has one of its own, and frees it at the end
  ::sigaltstack(nullptr, &before);
  use_spare_stack();
  try {
    job.call();
  } catch (...) {
    job.thrown = std::current_exception();
  }
  ::sigaltstack(&before, nullptr);
  return nullptr;
}

}  // namespace

void with_small_stack(const std::function<void()>& call) {
  Job job{call};
  pthread_attr_t attributes;
  pthread_t thread;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackSize);
  const bool is_running = ::pthread_create(&thread, &attributes, run, &job) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!is_running) return call();  // Why: a sanitizer may need more than this for itself

  ::pthread_join(thread, nullptr);
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace kv::grader
