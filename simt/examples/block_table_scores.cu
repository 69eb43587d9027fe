// The scores of one query against the keys of a paged KV cache: the dot product with each token's
// key, which a block table finds. Once with a lane for each token, once with a warp for each token.
#include <cstdio>
#include <vector>

constexpr int kWarp = 32;
constexpr int kBlockSize = 16;  // tokens in a block of the cache
constexpr int kHeadSize = 64;   // floats in a key

// The block table gives the block; within a block, keys follow each other.
__device__ const float* key_of(const float* key_cache, const int* block_table, int token) {
  const int block = block_table[token / kBlockSize];
  return key_cache + (block * kBlockSize + token % kBlockSize) * kHeadSize;
}

__global__ void lane_per_token(const float* query,
                               const float* key_cache,
                               const int* block_table,
                               int num_tokens,
                               float* scores) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= num_tokens) return;
  const float* key = key_of(key_cache, block_table, token);
  float score = 0;
  for (int i = 0; i < kHeadSize; ++i) {
    score += query[i] * key[i];
  }
  scores[token] = score;
}

__global__ void warp_per_token(const float* query,
                               const float* key_cache,
                               const int* block_table,
                               int num_tokens,
                               float* scores) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= num_tokens) return;  // the whole warp returns
  const float* key = key_of(key_cache, block_table, token);
  float score = 0;
  for (int i = threadIdx.x; i < kHeadSize; i += kWarp) {
    score += query[i] * key[i];
  }
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    score += __shfl_down_sync(0xffffffff, score, offset);
  }
  if (threadIdx.x == 0) {
    scores[token] = score;
  }
}

// Small integers: every sum is exact, whatever the order.
float query_at(int i) {
  return static_cast<float>(i % 5 - 2);
}
float key_at(int token, int i) {
  return static_cast<float>((token + i) % 7 - 3);
}

bool are_right(const float* device_scores, int num_tokens) {
  std::vector<float> scores(num_tokens);
  if (cudaMemcpy(scores.data(), device_scores, num_tokens * sizeof(float),
                 cudaMemcpyDeviceToHost) != cudaSuccess) {
    return false;
  }
  for (int token = 0; token < num_tokens; ++token) {
    float expected = 0;
    for (int i = 0; i < kHeadSize; ++i) expected += query_at(i) * key_at(token, i);
    if (scores[token] != expected) return false;
  }
  return true;
}

template <typename T>
T* to_device(const std::vector<T>& values) {
  T* device;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int num_tokens = 44;
  const std::vector<int> block_table = {6, 1, 4};  // three of the 8 blocks in the cache
  std::vector<float> query(kHeadSize), key_cache(8 * kBlockSize * kHeadSize), scores(num_tokens);
  for (int i = 0; i < kHeadSize; ++i) query[i] = query_at(i);
  for (int token = 0; token < num_tokens; ++token) {
    const int slot = block_table[token / kBlockSize] * kBlockSize + token % kBlockSize;
    for (int i = 0; i < kHeadSize; ++i) key_cache[slot * kHeadSize + i] = key_at(token, i);
  }
  float* q = to_device(query);
  float* keys = to_device(key_cache);
  int* table = to_device(block_table);
  float* out = to_device(scores);

  lane_per_token<<<1, 2 * kWarp>>>(q, keys, table, num_tokens, out);
  bool is_right = are_right(out, num_tokens);
  cudaMemset(out, 0, num_tokens * sizeof(float));
  const dim3 block(kWarp, 4);
  warp_per_token<<<num_tokens / 4, block>>>(q, keys, table, num_tokens, out);
  is_right = are_right(out, num_tokens) && is_right;

  cudaFree(q);
  cudaFree(keys);
  cudaFree(table);
  cudaFree(out);
  std::printf("block_table_scores: %s\n", is_right ? "both kernels are right" : "wrong");
  return is_right ? 0 : 1;
}
