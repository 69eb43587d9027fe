#include "grader/program/process/running_groups.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

#include "grader/program/process/process.h"

namespace kv::grader {
namespace {

constexpr int kMaxGroups = 64;
std::array<std::atomic<pid_t>, kMaxGroups> groups;  // 0: free place

void kill_all_and_leave(int signal_number) {
  for (const auto& group : groups) {
    const pid_t leader = group.load();
    if (leader > 0) ::kill(-leader, SIGKILL);
  }
  _exit(128 + signal_number);
}

}  // namespace

RunningGroup::RunningGroup(pid_t group) : place_(0) {
  pid_t expected = 0;
  while (!groups[static_cast<std::size_t>(place_)].compare_exchange_strong(expected, group)) {
    place_ = (place_ + 1) % kMaxGroups;
    expected = 0;
  }
}

RunningGroup::~RunningGroup() {
  groups[static_cast<std::size_t>(place_)] = 0;
}

void kill_children_on_interrupt() {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal_number, kill_all_and_leave);
  }
}

}  // namespace kv::grader
