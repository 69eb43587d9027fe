#pragma once
// One program with several small bugs, each in a function of its own. An argument names the one
// that runs; without it all run, and the device is reset after each that fails.
//
// The checker has to find KIND at every line that ends in "finds: KIND", and nothing at any other
// line: whatever the compiler, optimized or not, and in both orders of threads, unless "only" says
// otherwise. "KIND in thread (1,0,0)" names the thread in which the forward order finds it. A line
// that ends in "meets: KIND" has the other access of such a finding.

#include <cstdio>
#include <cstring>

struct Bug {
  const char* name;
  void (*make)();
};

template <int kBugs>
int run_bugs(const Bug (&bugs)[kBugs], int argc, char** argv) {
  for (const Bug& bug : bugs) {
    if (argc > 1 && std::strcmp(argv[1], bug.name) != 0) continue;
    bug.make();
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s: %s\n", bug.name, cudaGetErrorName(error));
    if (error != cudaSuccess) cudaDeviceReset();
  }
  return 0;
}

// Device memory of n numbers, for the time of one bug.
template <typename T>
class Device {
 public:
  explicit Device(int n, bool is_written = true) {
    cudaMalloc(&data_, n * sizeof(T));
    if (is_written) cudaMemset(data_, 0, n * sizeof(T));
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  operator T*() const { return data_; }

 private:
  T* data_;
};
