#pragma once
// One program, many small mistakes: each has a function that makes it. Named on the command line,
// one is run; otherwise all are, with the device reset
// after each that ruins it.
//
// Where a line ends in "finds: KIND", the checker has to find that there, and nothing on any other
// line: whatever the compiler, whether optimized, and in both orders of threads, unless "only" says
// otherwise. "KIND in thread (1,0,0)" names the thread that the forward order meets.

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

// Device memory of n numbers, for the time of one mistake.
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
