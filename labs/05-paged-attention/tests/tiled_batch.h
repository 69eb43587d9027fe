#pragma once
// Random sequences in tiles, among poison.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "05-paged-attention/tiled_attention.h"
#include "grader/harness/note_options.h"

namespace kv::grader {

// For tests that look at each number.
namespace small_cache {
inline constexpr std::size_t kNumBlocks = 3, kNumKvHeads = 2, kHeadDim = 32;
inline constexpr std::size_t kTokenSize = kNumKvHeads * kHeadDim;
inline constexpr std::size_t kSize = kNumBlocks * kTokenSize * kTileTokens;  // one plain tensor
}  // namespace small_cache

// Where the drawing in the contract has a number of a row, without asking the code under test.
template <class Stored>
std::size_t drawn_place(std::size_t row, std::size_t lane) {
  if (sizeof(Stored) == 4) return row * 16 + lane;
  return row / 2 * 32 + lane * 2 + row % 2;
}

// -0 is not 0, and every NaN is as good as another.
template <class Stored>
bool is_same_number(Stored one, Stored other) {
  const float a = widen(one), b = widen(other);
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Key and value of one slot, read back out of the tiles as the drawing in the contract says.
template <class Stored>
void expect_token(const TiledKVCache<Stored>& cache,
                  std::size_t slot,
                  const float* k,
                  const float* v) {
  const std::size_t block = slot / 16, token = slot % 16, head_dim = cache.head_dim;
  for (std::size_t i = 0; i < cache.num_kv_heads * head_dim; ++i) {
    const std::size_t head = i / head_dim, d = i % head_dim;
    const Stored* tile = &cache.tiles[(block * cache.num_kv_heads + head) * 2 * head_dim * 16];
    const Stored* value_tile = tile + head_dim * 16;
    const Stored key = tile[drawn_place<Stored>(d, token)];
    const Stored value = value_tile[drawn_place<Stored>(d / 16 * 16 + token, d % 16)];
    if (is_same_number(key, narrow<Stored>(k[i])) && is_same_number(value, narrow<Stored>(v[i])))
      continue;
    ADD_FAILURE() << "slot " << slot << ", KV head " << head << ", dimension " << d
                  << ": expected key " << k[i] << " and value " << v[i] << ", found " << widen(key)
                  << " and " << widen(value);
    return;
  }
}

// Writes a token there.
template <class Stored>
void put(const TiledKVCache<Stored>& cache,
         std::size_t slot,
         const std::vector<double>& keys,
         const std::vector<double>& values,
         std::size_t token) {
  for (std::size_t i = 0; i < cache.num_kv_heads * cache.head_dim; ++i) {
    const std::size_t head = i / cache.head_dim, d = i % cache.head_dim, t = slot % 16;
    Stored* tile = &cache.tiles[(slot / 16 * cache.num_kv_heads + head) * 2 * cache.head_dim * 16];
    const std::size_t from = token * cache.num_kv_heads * cache.head_dim + i;
    Stored* value_tile = tile + cache.head_dim * 16;
    tile[drawn_place<Stored>(d, t)] = narrow<Stored>(static_cast<float>(keys[from]));
    value_tile[drawn_place<Stored>(d / 16 * 16 + t, d % 16)] =
        narrow<Stored>(static_cast<float>(values[from]));
  }
}

struct Call {
  std::size_t num_heads;
  std::size_t num_kv_heads;
  std::size_t head_dim;
  std::vector<std::size_t> seq_lens;
  double largest_key = 1;
  float scale = 0.3f;                 // more bits than bfloat16 has
  std::size_t num_spare_entries = 0;  // entries of a table row that even the longest does not need
};

// Sequences in tiles among poison. What bfloat16 makes of a number is what the oracle reads too.
template <class Stored>
class TiledBatch {
 public:
  explicit TiledBatch(const Call& call, std::uint64_t seed = 7, std::uint64_t placement = 7)
      : call_(call), random_(seed) {
    log_start("",
              {"shape(num_heads, num_kv_heads, head_dim, seq_lens, block_size)",
               "num_heads {0}, num_kv_heads {1}, head_dim {2}, seq_lens {3}, block_size {4}"},
              call.num_heads, call.num_kv_heads, call.head_dim, call.seq_lens, kTileTokens);
    for (const std::size_t seq_len : call.seq_lens) {
      max_blocks_ = std::max(max_blocks_, (seq_len + 15) / 16);
    }
    max_blocks_ += call.num_spare_entries;
    const std::size_t num_blocks = call.seq_lens.size() * max_blocks_ + 2;
    Random of_placement(placement);
    tables_ = shuffled_ids(of_placement, num_blocks);
    tables_.pop_back();
    const float poison = kPoisons<float>[0];
    tiles_.assign(num_blocks * call.num_kv_heads * 2 * call.head_dim * 16, narrow<Stored>(poison));
    for (std::size_t seq = 0; seq < call.seq_lens.size(); ++seq) add(seq);
    hide_what_is_not_needed();
  }

  std::vector<float> attend(WorkPlan plan) {
    note_options({{"num_blocks", num_blocks()},
                  {"num_kv_heads", call_.num_kv_heads},
                  {"head_dim", call_.head_dim},
                  {"num_threads", plan.num_threads},
                  {"num_splits", plan.num_splits}});
    log_step({"paged_attention_tiled(num_threads, num_splits)",
              "paged_attention_tiled, {0} threads, {1} splits"},
             plan.num_threads, plan.num_splits);
    const std::vector<float> out = attend_in(tiles_, plan);
    log_returned();
    return out;
  }

  void expect_dense(WorkPlan plan) {
    const std::vector<float> out = attend(plan);
    for (std::size_t seq = 0; seq < call_.seq_lens.size(); ++seq) {
      const std::size_t seq_len = call_.seq_lens[seq];
      log_step({"compare(sequence, seq_len, block_table)", "sequence {0}"}, seq, seq_len,
               std::span(tables_).subspan(seq * max_blocks_, (seq_len + 15) / 16));
      expect_near(row_of(out, seq),
                  oracle::dense_attention(sequences_[seq], row_of(query_, seq), seq_len,
                                          double{call_.scale}),
                  static_cast<double>(sum_tolerance<float>(call_.head_dim + seq_len)),
                  call_.head_dim, {}, [&] { log_slots_read_for(seq, plan); });
    }
  }

  // The K tile of a block of the first sequence, whose only KV head it is.
  const Stored* tile(std::size_t block) { return cache().tile(tables_[block], 0); }

  std::vector<float> scaled_query() const {
    std::vector<float> query = as<float>(query_);
    for (float& number : query) number = call_.scale * number;
    return query;
  }

  TiledKVCache<Stored> cache() {
    return {num_blocks(), call_.num_kv_heads, call_.head_dim, tiles_};
  }

 private:
  std::size_t num_blocks() const {
    return tiles_.size() / (call_.num_kv_heads * 2 * call_.head_dim * 16);
  }

  std::vector<float> attend_in(std::vector<Stored>& tiles, WorkPlan plan) const {
    std::vector<float> out(query_.size(), kPoisons<float>[0]);
    paged_attention_tiled<Stored>(out, as<float>(query_),
                                  {num_blocks(), call_.num_kv_heads, call_.head_dim, tiles},
                                  tables_, call_.seq_lens, call_.scale, plan);
    return out;
  }

  // The entries of the tables after the blocks that a sequence needs: ids of no block.
  void hide_what_is_not_needed() {
    for (std::size_t seq = 0; seq < call_.seq_lens.size(); ++seq) {
      const std::size_t num_needed = (call_.seq_lens[seq] + 15) / 16;
      const auto row = std::span(tables_).subspan(seq * max_blocks_, max_blocks_);
      std::ranges::fill(row.subspan(num_needed),
                        seq % 2 == 0 ? -1 : std::numeric_limits<BlockId>::max());
    }
  }

  // The heads of one sequence.
  template <class Number>
  std::vector<Number> row_of(const std::vector<Number>& numbers, std::size_t seq) const {
    const std::size_t size = call_.num_heads * call_.head_dim;
    const auto row = std::span(numbers).subspan(seq * size, size);
    return {row.begin(), row.end()};
  }

  void log_slots_read_for(std::size_t seq, WorkPlan plan) const {
    log_slots_read(num_blocks() * 16, tiles_.size(), [&](std::optional<SlotId> slot) {
      std::vector<Stored> tiles = tiles_;
      std::ranges::replace_if(
          tiles, [](Stored number) { return std::isnan(widen(number)); }, narrow<Stored>(0));
      const std::vector<double> nan(call_.num_kv_heads * call_.head_dim, kPoisons<double>[0]);
      if (slot)
        put<Stored>({num_blocks(), call_.num_kv_heads, call_.head_dim, tiles},
                    static_cast<std::size_t>(*slot), nan, nan, 0);
      return row_of(attend_in(tiles, plan), seq);
    });
  }

  void add(std::size_t seq) {
    oracle::DenseSequence sequence{call_.num_kv_heads, call_.head_dim};
    const std::size_t size = call_.seq_lens[seq] * call_.num_kv_heads * call_.head_dim;
    sequence.keys = random_numbers(random_, size);
    for (double& key : sequence.keys) key *= call_.largest_key;
    sequence.values = random_numbers(random_, size);
    for (auto* numbers : {&sequence.keys, &sequence.values}) {
      for (double& number : *numbers) number = double{widen(narrow<Stored>(float(number)))};
    }
    for (std::size_t i = 0; i < call_.seq_lens[seq]; ++i) {
      const auto block = static_cast<std::size_t>(tables_[seq * max_blocks_ + i / 16]);
      put(cache(), block * 16 + i % 16, sequence.keys, sequence.values, i);
    }
    sequences_.push_back(sequence);
    std::ranges::copy(random_numbers(random_, call_.num_heads * call_.head_dim),
                      std::back_inserter(query_));
  }

  Call call_;
  Random random_;
  std::size_t max_blocks_ = 0;
  std::vector<BlockId> tables_;
  std::vector<Stored> tiles_;
  std::vector<oracle::DenseSequence> sequences_;
  std::vector<double> query_;
};

}  // namespace kv::grader
