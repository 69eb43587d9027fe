#pragma once
// The device as the host sees it: errors, how much shared memory each kernel may have, copies, and
// cooperative launches.

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "simt/host_api.h"
#include "simt/host_memory.h"
#include "simt/runtime/core/findings.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/program_image.h"

namespace kv::simt {

class Device {
 public:
  // Before each use. Ends a program that uses CUDA in a second thread of the host.
  void start();

  // The last error, until cudaGetLastError returns it. A sticky error stays until the device is
  // reset.
  cudaError_t set_error(cudaError_t error);
  bool is_started() const { return is_started_; }
  cudaError_t set_sticky_error(cudaError_t error);
  cudaError_t sticky_error() const { return sticky_error_; }
  cudaError_t take_error();
  cudaError_t last_error() const { return last_error_; }
  // Reports a call of the host that cannot be done, and returns its error.
  cudaError_t refuse(cudaError_t error, Site site, std::string what, std::vector<Note> notes = {});
  void reset();

  // The host waits until all work is done.
  cudaError_t synchronize();
  // Until then the host must not touch what a launch wrote, or where an asynchronous copy ends.
  bool is_synchronized_with(std::uint32_t launch) const { return launch <= synchronized_launch_; }
  void add_pending_copy(const void* to, std::size_t bytes, Site site);
  bool has_pending_copies() const { return !pending_copies_.empty(); }
  Site pending_copy_at(std::uintptr_t address) const;  // nullptr: none

  std::size_t max_shared_bytes(const void* kernel) const;
  void set_max_shared_bytes(const void* kernel, std::size_t bytes);

 private:
  std::mutex starting_;
  bool is_started_ = false;
  cudaError_t last_error_ = cudaSuccess;
  cudaError_t sticky_error_ = cudaSuccess;
  std::map<const void*, std::size_t> max_shared_bytes_;
  std::uint32_t synchronized_launch_ = 0;
  struct PendingCopy {
    Range to;
    Site site;
  };
  std::vector<PendingCopy> pending_copies_;
};

extern Device device;

// The allocation at this address, also if it was freed; nullptr: none.
Allocation* owner_of(const void* pointer);

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Site site);
cudaError_t set(void* pointer, int value, std::size_t bytes, Site site);

// A cooperative launch: its blocks wait for each other in grid.sync(). One block still runs at a
// time. When it comes to the barrier, its threads, its stacks and its shared memory are put aside,
// and the next block runs up to there.
//
// How many threads one cooperative launch may have. Each keeps a stack with a guard page, and Linux
// allows a process 65530 such pieces of memory.
inline constexpr unsigned kMaxCooperativeThreads = 24 * 1024;

// Runs all blocks of the launch.
void run_cooperative_grid();

// Host code enters a function from there. Ends the program if it is a kernel.
void check_host_enters(Site function, Site caller);

}  // namespace kv::simt
