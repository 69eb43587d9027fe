#include "grader/program/process/limits.h"

#include <sys/resource.h>

#include <cmath>
#include <cstdio>

namespace kv::grader {
namespace {

void set_limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &limit);
}

}  // namespace

// All threads and processes of this machine, and some room: a fork bomb stops, a test that lives
// histories in forked children does not, on a machine with many cores either. Never 0.
std::size_t process_limit() {
  constexpr std::size_t kMargin = 256;
  std::size_t num_tasks = 4096;
  if (std::FILE* load = std::fopen("/proc/loadavg", "r")) {
    unsigned long tasks = 0;
    if (std::fscanf(load, "%*f %*f %*f %*d/%lu", &tasks) == 1) num_tasks = tasks;
    std::fclose(load);
  }
  return num_tasks + kMargin;
}

void apply(const Limits& limits, std::size_t num_processes) {
  const auto cpu_seconds = static_cast<rlim_t>(std::ceil(limits.cpu_seconds));
  set_limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1);  // soft: SIGXCPU and last words
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, 1 << 20, 1 << 20);
  set_limit(RLIMIT_NPROC, num_processes, num_processes);
  if (limits.memory_bytes) set_limit(RLIMIT_AS, *limits.memory_bytes, *limits.memory_bytes);
}

}  // namespace kv::grader
