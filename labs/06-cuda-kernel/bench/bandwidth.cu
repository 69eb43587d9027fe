// The bandwidth of the rungs on a GPU: bytes of keys and values in a second, beside a plain read of
// the same bytes in the same run. `./lab bench 06` and `./lab grade 06 --nvcc` call it where there
// is a GPU.
//
//   lab06_bandwidth             prints the names of the rungs
//   lab06_bandwidth warp        prints "bandwidth READ RUNG" in GB/s, or "failed" and the reason
//   lab06_bandwidth --shapes    prints a line for each type and shape, all rungs beside each other

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "06-cuda-kernel/bench/device_timer.cuh"
#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/kernels.h"

namespace kv::bench {
namespace {

constexpr int kBlockSize = 16;

struct Shape {
  int num_seqs = 32;
  int num_tokens = 4096;  // tokens of each sequence
  int group_size = 4;     // query heads for each KV head
  int head_size = 128;
  int num_kv_heads = 8;

  int num_heads() const { return num_kv_heads * group_size; }
  int blocks_per_seq() const { return num_tokens / kBlockSize; }
  std::size_t size_of_cache() const {
    return std::size_t(num_seqs) * num_tokens * num_kv_heads * head_size;
  }
  std::size_t size_of_out() const { return std::size_t(num_seqs) * num_heads() * head_size; }
};

// Scattered, and each block once: 509 is odd, and the number of blocks is a power of two.
std::vector<int> scattered_blocks(const Shape& shape) {
  std::vector<int> blocks(std::size_t(shape.num_seqs) * shape.blocks_per_seq());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = static_cast<int>(i * 509 % blocks.size());
  return blocks;
}

template <class Scalar>
class Batch {
 public:
  explicit Batch(const Shape& shape)
      : shape_(shape),
        out_(shape.size_of_out()),
        query_(shape.size_of_out()),
        keys_(shape.size_of_cache()),
        values_(shape.size_of_cache()),
        tables_(scattered_blocks(shape)),
        lens_(std::vector<int>(shape.num_seqs, shape.num_tokens)),
        sums_(num_partials()),
        maxima_(num_partials()),
        partial_out_(num_partials() * shape.head_size) {
    fill(query_, 1);
    fill(keys_, 2);
    fill(values_, 3);
    KV_CUDA_CHECK(cudaGetLastError());
  }

  PagedAttentionParams<Scalar> params() const {
    return {out_.data(),         query_.data(),
            keys_.data(),        values_.data(),
            tables_.data(),      lens_.data(),
            shape_.num_seqs,     shape_.num_heads(),
            shape_.num_kv_heads, shape_.head_size,
            kBlockSize,          shape_.blocks_per_seq(),
            shape_.num_tokens,   1 / std::sqrt(static_cast<float>(shape_.head_size))};
  }

  // Room for the partial results of partitions.
  PartialResults partials(int partition_size) const {
    return {sums_.data(), maxima_.data(), partial_out_.data(),
            (shape_.num_tokens + partition_size - 1) / partition_size};
  }

  double num_bytes() const { return 2.0 * sizeof(Scalar) * shape_.size_of_cache(); }

  void read() const {
    for (const DeviceArray<Scalar>* cache : {&keys_, &values_}) {
      read_once<<<kReadBlocks, kReadThreads>>>(reinterpret_cast<const uint4*>(cache->data()),
                                               cache->size() / kVec<Scalar>, sink_.data());
    }
  }

 private:
  std::size_t num_partials() const {
    const int num_partitions = shape_.num_tokens / kPartitionUnit;
    return std::size_t(shape_.num_seqs) * shape_.num_heads() * num_partitions;
  }
  static void fill(const DeviceArray<Scalar>& array, unsigned seed) {
    fill_with_noise<<<kReadBlocks, kReadThreads>>>(array.data(), array.size(), seed);
  }

  Shape shape_;
  DeviceArray<Scalar> out_, query_, keys_, values_;
  DeviceArray<int> tables_, lens_;
  DeviceArray<unsigned> sink_{1};  // read() would write its sum here
  DeviceArray<float> sums_, maxima_, partial_out_;
};

const std::vector<std::string> kRungs = {"v1", "warp", "group", "v2", "tensor"};

// How many tokens a partition has if num_blocks_of_sm thread blocks fit on an SM.
template <class Scalar>
int partition_size_of(const PagedAttentionParams<Scalar>& params, int heads, int num_blocks_of_sm) {
  int num_sms = 0;
  KV_CUDA_CHECK(cudaDeviceGetAttribute(&num_sms, cudaDevAttrMultiProcessorCount, 0));
  const int num_blocks = params.num_seqs * ((params.num_heads + heads - 1) / heads);
  return choose_partition_size(params.max_seq_len, num_blocks, num_sms * num_blocks_of_sm);
}

// Bytes of keys and values in a second; 0 if the rung has no such type or shape.
template <class Scalar>
double bandwidth_of(const std::string& rung, const Batch<Scalar>& batch) {
  const PagedAttentionParams<Scalar> params = batch.params();
  std::function<void()> launch;
  if (rung == "read") launch = [&] { batch.read(); };
  if (rung == "warp") launch = [&] { launch_paged_attention_warp(params); };
  if (rung == "group") launch = [&] { launch_paged_attention_group(params); };
  if (rung == "v2") {
    const int group_size = params.num_heads / params.num_kv_heads;
    const int size = partition_size_of(params, std::min(group_size, 4), 4);
    launch = [&, size] { launch_paged_attention_v2(batch.partials(size), params, size); };
  }
  if constexpr (!std::is_same_v<Scalar, float>) {
    const int group_size = params.num_heads / params.num_kv_heads;
    const int size = std::min(partition_size_of(params, group_size, 3), kMaxTensorPartition);
    if (rung == "tensor")
      launch = [&, size] { launch_paged_attention_tensor(batch.partials(size), params, size); };
  }
  if constexpr (std::is_same_v<Scalar, float>) {
    constexpr int kMaxTokens = 12'000;  // their scores have to fit into shared memory
    if (rung == "v1" && params.max_seq_len > kMaxTokens) return 0;
    if (rung == "v1") launch = [&] { launch_paged_attention_v1(params); };
  }
  return launch ? batch.num_bytes() / seconds_of(launch) / 1e9 : 0;
}

template <class Scalar>
void measure(const std::string& rung) {
  const Batch<Scalar> batch{Shape{}};
  const double read = bandwidth_of("read", batch);
  std::printf("bandwidth %.1f %.1f\n", read, bandwidth_of(rung, batch));
}

template <class Scalar>
void print_shape(const char* type, const Shape& shape) {
  const Batch<Scalar> batch(shape);
  const double read = bandwidth_of("read", batch);
  std::printf("%-5s %5d %6d %5d %6d %7.0f %7.0f", type, shape.head_size, shape.group_size,
              shape.num_seqs, shape.num_tokens, batch.num_bytes() / 1e6, read);
  for (const std::string& rung : kRungs) {
    const double bandwidth = bandwidth_of(rung, batch);
    std::printf(" %7.0f %3.0f%%", bandwidth, 100 * bandwidth / read);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void print_shapes() {
  std::printf("type   head  group  seqs tokens      MB    read");
  for (const std::string& rung : kRungs) std::printf(" %12s", rung.c_str());
  std::printf("   (GB/s, and beside the read)\n");
  for (const int head_size : {64, 128}) {
    for (const int group_size : {1, 4, 8}) {
      for (const auto& [num_seqs, num_tokens] : {std::pair(1, 1024),
                                                 {1, 16384},
                                                 {1, 65536},
                                                 {8, 4096},
                                                 {32, 4096},
                                                 {64, 1024},
                                                 {64, 16384}}) {
        const Shape shape{num_seqs, num_tokens, group_size, head_size};
        print_shape<__nv_bfloat16>("bf16", shape);
        if (num_seqs <= 32) print_shape<float>("float", shape);
      }
    }
  }
}

void run(const std::string& argument) {
  if (argument == "--shapes") return print_shapes();
  if (std::count(kRungs.begin(), kRungs.end(), argument) == 0)
    throw std::runtime_error("no rung is named " + argument);
  if (argument == "v1") return measure<float>(argument);
  measure<__nv_bfloat16>(argument);
}

}  // namespace
}  // namespace kv::bench

int main(int argc, char** argv) {
  if (argc == 1) {
    for (const std::string& rung : kv::bench::kRungs) std::printf("%s\n", rung.c_str());
    return 0;
  }
  try {
    kv::bench::run(argv[1]);
  } catch (const std::exception& error) {
    std::printf("failed %s\n", error.what());
    return 1;
  }
  return 0;
}
