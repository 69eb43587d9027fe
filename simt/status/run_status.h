#pragma once
// What a run is doing, for the program that waits for it: the memory of a file that both have open.
// The run only writes numbers into it, so it costs next to nothing.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>

namespace kv::simt {

struct RunStatus {
  char kernel[96];             // its name, in the launch that runs
  std::uint64_t num_blocks;    // 0: host code runs
  std::uint64_t num_done;      // blocks that have ended
  std::uint64_t num_launches;  // that have begun
  double began;                // when, in seconds of the clock that never goes back
};

// The status in this file, which is made where it is missing; nullptr: there is none.
inline RunStatus* open_status(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return nullptr;
  const bool has_room = ::ftruncate(fd, sizeof(RunStatus)) == 0;
  void* const memory =
      has_room ? ::mmap(nullptr, sizeof(RunStatus), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
               : MAP_FAILED;
  ::close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<RunStatus*>(memory);
}

inline double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace kv::simt
