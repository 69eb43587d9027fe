// Decode attention over a paged KV cache at full size, to measure what checking and profiling cost:
// 8 sequences of about 1,000 tokens, 32 query and 8 KV heads of 128, bfloat16. The argument chooses
// the kernel: "naive", one thread for each token, or "tuned", a quarter of a warp for each token
// and all query heads that share its KV head.
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "paged_decode_kernels.cuh"

namespace {

constexpr int kSequences = 8;

// Bits of bfloat16 numbers between 1/2 and 2, of either sign.
std::vector<unsigned short> random_values(int num_values, unsigned seed) {
  std::vector<unsigned short> bits(num_values);
  for (unsigned short& each : bits) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<unsigned short>((seed >> 16 & 0x8000) | 0x3f00 | (seed >> 16 & 0x7f));
  }
  return bits;
}

float to_float(unsigned short bits) {
  return __bfloat162float(__ushort_as_bfloat16(bits));
}

struct Problem {
  std::vector<int> seq_lens;
  std::vector<int> block_tables;
  std::vector<unsigned short> query;
  std::vector<unsigned short> content;  // source of the cache: each block copies another part
  int max_blocks = 0;

  size_t content_of(int block, bool is_value) const {
    return (block * 2 + (is_value ? 1 : 0)) * 976 % (content.size() - kBlockElements);
  }
  float cached(int sequence, int token, int kv_head, int dim, bool is_value) const {
    const int block = block_tables[sequence * max_blocks + token / kBlockSize];
    return to_float(content[content_of(block, is_value) + token % kBlockSize * kSlotElements +
                            kv_head * kHeadDim + dim]);
  }
};

// The blocks of all sequences are interleaved; block 0 stays unused.
Problem make_problem() {
  Problem p;
  for (int s = 0; s < kSequences; ++s) p.seq_lens.push_back(1000 - 7 * s);
  p.max_blocks = (p.seq_lens[0] + kBlockSize - 1) / kBlockSize;
  p.block_tables.assign(kSequences * p.max_blocks, -1);
  int num_blocks = 0;
  for (int i = 0; i < p.max_blocks; ++i) {
    for (int s = 0; s < kSequences; ++s) {
      if (i * kBlockSize < p.seq_lens[s]) p.block_tables[s * p.max_blocks + i] = ++num_blocks;
    }
  }
  p.query = random_values(kSequences * kHeads * kHeadDim, 1);
  p.content = random_values(4 * kBlockElements, 2);
  return p;
}

template <typename To, typename From>
To* to_device(const std::vector<From>& values) {
  To* device = nullptr;
  cudaMalloc(&device, values.size() * sizeof(From));
  cudaMemcpy(device, values.data(), values.size() * sizeof(From), cudaMemcpyHostToDevice);
  return device;
}

// Writes the used slots only: those after the last token stay uninitialized.
__nv_bfloat16* upload_cache(const Problem& p, bool is_value) {
  __nv_bfloat16* cache = nullptr;
  cudaMalloc(&cache, (p.block_tables.size() + 1) * kBlockElements * sizeof(__nv_bfloat16));
  for (int s = 0; s < kSequences; ++s) {
    for (int begin = 0; begin < p.seq_lens[s]; begin += kBlockSize) {
      const int block = p.block_tables[s * p.max_blocks + begin / kBlockSize];
      const int num_slots = std::min(kBlockSize, p.seq_lens[s] - begin);
      cudaMemcpy(cache + static_cast<size_t>(block) * kBlockElements,
                 &p.content[p.content_of(block, is_value)],
                 num_slots * kSlotElements * sizeof(__nv_bfloat16), cudaMemcpyHostToDevice);
    }
  }
  return cache;
}

// One head of one sequence in double precision; the largest difference of its outputs.
double error_of(const Problem& p, const std::vector<unsigned short>& out, int sequence, int head) {
  const int kv_head = head / (kHeads / kKvHeads);
  const size_t begin = (sequence * kHeads + head) * kHeadDim;
  std::vector<double> sums(kHeadDim);
  double sum = 0;
  for (int token = 0; token < p.seq_lens[sequence]; ++token) {
    double score = 0;
    for (int i = 0; i < kHeadDim; ++i) {
      score += to_float(p.query[begin + i]) * p.cached(sequence, token, kv_head, i, false);
    }
    const double weight = std::exp(score / std::sqrt(kHeadDim));
    for (int i = 0; i < kHeadDim; ++i) {
      sums[i] += weight * p.cached(sequence, token, kv_head, i, true);
    }
    sum += weight;
  }
  double error = 0;
  for (int i = 0; i < kHeadDim; ++i) {
    error = std::max(error, std::fabs(to_float(out[begin + i]) - sums[i] / sum));
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_naive = argc > 1 && std::strcmp(argv[1], "naive") == 0;
  const Problem p = make_problem();
  std::vector<unsigned short> out(p.query.size());
  __nv_bfloat16* device_out = to_device<__nv_bfloat16>(out);
  const Decode decode{to_device<__nv_bfloat16>(p.query),
                      upload_cache(p, false),
                      upload_cache(p, true),
                      to_device<int>(p.block_tables),
                      to_device<int>(p.seq_lens),
                      p.max_blocks,
                      device_out};
  auto* const kernel = is_naive ? decode_naive : decode_tuned;
  kernel<<<dim3(is_naive ? kHeads : kKvHeads, kSequences), kThreads>>>(decode);
  const cudaError_t status =
      cudaMemcpy(out.data(), device_out, out.size() * sizeof(out[0]), cudaMemcpyDeviceToHost);
  const void* allocated[] = {decode.query,        decode.keys,     decode.values,
                             decode.block_tables, decode.seq_lens, decode.out};
  for (const void* each : allocated) cudaFree(const_cast<void*>(each));
  double error = 0;
  for (int s = 0; s < kSequences; ++s) error = std::max(error, error_of(p, out, s, 5 * s % kHeads));
  std::printf("paged decode: %s, largest error %.1e\n", cudaGetErrorString(status), error);
  return status == cudaSuccess && error < 0.01 ? 0 : 1;
}
