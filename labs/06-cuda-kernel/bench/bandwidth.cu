// The bandwidth of one rung on a GPU, and of a copy in the memory of the device in the same run.
// `./lab bench 06` and `./lab grade 06 --nvcc` call it where there is a GPU: `lab06_bandwidth warp`
// prints "bandwidth COPY RUNG", both in GB/s, or "failed" and the reason. Without an argument it
// prints the names of the rungs.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "06-cuda-kernel/given/device_array.h"
#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/kernels.h"

namespace kv::bench {
namespace {

constexpr int kNumSeqs = 32;
constexpr int kNumTokens = 4096;
constexpr int kNumHeads = 32;
constexpr int kNumKvHeads = 8;
constexpr int kHeadSize = 128;
constexpr int kBlockSize = 16;
constexpr int kBlocksPerSeq = kNumTokens / kBlockSize;
constexpr std::size_t kCacheSize = std::size_t{kNumSeqs} * kNumTokens * kNumKvHeads * kHeadSize;
constexpr std::size_t kOutSize = std::size_t{kNumSeqs} * kNumHeads * kHeadSize;
constexpr double kBytesOfBothCaches = 2.0 * sizeof(float) * kCacheSize;

void require_success(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// The median of some launches, after one that warms up.
double seconds_of(const std::function<void()>& launch) {
  constexpr int kNumRounds = 9;
  cudaEvent_t begin, end;
  require_success(cudaEventCreate(&begin));
  require_success(cudaEventCreate(&end));
  launch();
  std::vector<float> milliseconds(kNumRounds);
  for (float& each : milliseconds) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    require_success(cudaEventSynchronize(end));
    require_success(cudaEventElapsedTime(&each, begin, end));
  }
  require_success(cudaGetLastError());
  std::nth_element(milliseconds.begin(), milliseconds.begin() + kNumRounds / 2, milliseconds.end());
  return milliseconds[kNumRounds / 2] / 1000;
}

// Scattered, and each block once: 509 is odd, and the number of blocks is a power of two.
std::vector<int> scattered_blocks() {
  std::vector<int> blocks(std::size_t{kNumSeqs} * kBlocksPerSeq);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = static_cast<int>(i * 509 % blocks.size());
  return blocks;
}

class Batch {
 public:
  Batch()
      : out_(kOutSize),
        query_(std::vector<float>(kOutSize, 0.5f)),
        keys_(kCacheSize),
        values_(kCacheSize),
        tables_(scattered_blocks()),
        lens_(std::vector<int>(kNumSeqs, kNumTokens)) {
    require_success(cudaMemset(keys_.data(), 0, kCacheSize * sizeof(float)));
    require_success(cudaMemset(values_.data(), 0, kCacheSize * sizeof(float)));
  }

  PagedAttentionParams<float> params() const {
    return {out_.data(), query_.data(), keys_.data(), values_.data(), tables_.data(), lens_.data(),
            kNumSeqs,    kNumHeads,     kNumKvHeads,  kHeadSize,      kBlockSize,     kBlocksPerSeq,
            kNumTokens,  0.1f};
  }

  // A copy reads and writes each byte once.
  double copy_bandwidth() const {
    const double seconds = seconds_of([this] {
      cudaMemcpyAsync(values_.data(), keys_.data(), kCacheSize * sizeof(float),
                      cudaMemcpyDeviceToDevice);
    });
    return kBytesOfBothCaches / seconds / 1e9;
  }

 private:
  DeviceArray<float> out_, query_, keys_, values_;
  DeviceArray<int> tables_, lens_;
};

// Room for the partial results of rung 5.
class Partials {
 public:
  PartialResults results() const {
    return {sums_.data(), maxima_.data(), out_.data(), kNumPartitions};
  }

 private:
  static constexpr int kNumPartitions = kNumTokens / kPartitionSize;
  static constexpr std::size_t kSize = std::size_t{kNumSeqs} * kNumHeads * kNumPartitions;
  DeviceArray<float> sums_{kSize}, maxima_{kSize}, out_{kSize * kHeadSize};
};

std::function<void()> launch_of(const std::string& rung,
                                const PagedAttentionParams<float>& params,
                                const Partials& partials) {
  if (rung == "v1") return [&] { launch_paged_attention_v1(params); };
  if (rung == "warp") return [&] { launch_paged_attention_warp(params); };
  if (rung == "group") return [&] { launch_paged_attention_group(params); };
  if (rung == "v2") return [&] { launch_paged_attention_v2(partials.results(), params); };
  throw std::runtime_error("no rung is named " + rung);
}

void measure(const std::string& rung) {
  const Batch batch;
  const PagedAttentionParams<float> params = batch.params();
  const Partials partials;
  const double copy = batch.copy_bandwidth();
  const double seconds = seconds_of(launch_of(rung, params, partials));
  std::printf("bandwidth %.1f %.1f\n", copy, kBytesOfBothCaches / seconds / 1e9);
}

}  // namespace
}  // namespace kv::bench

int main(int argc, char** argv) {
  if (argc == 1) {
    std::printf("v1\nwarp\ngroup\nv2\n");
    return 0;
  }
  try {
    kv::bench::measure(argv[1]);
  } catch (const std::exception& error) {
    std::printf("failed %s\n", error.what());
    return 1;
  }
  return 0;
}
