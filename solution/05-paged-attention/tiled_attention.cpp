#include "05-paged-attention/tiled_attention.h"

#include <algorithm>

#include "05-paged-attention/given/parallel_for.h"
#include "05-paged-attention/given/shape_checks.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

// One call, divided into parts: (sequence, split, slice of the KV heads). Each group of query heads
// is padded to a multiple of kHeadsAtOnce; padding costs arithmetic, but no memory traffic.
template <class Stored>
class TiledAttention {
 public:
  TiledAttention(std::span<const float> query,
                 const TiledKVCache<Stored>& cache,
                 std::span<const BlockId> block_tables,
                 std::span<const std::size_t> seq_lens,
                 float scale,
                 WorkPlan plan)
      : cache_(cache),
        block_tables_(block_tables),
        seq_lens_(seq_lens),
        num_splits_(std::min(plan.num_splits, block_tables.size() / seq_lens.size() + 1)),
        // Why 1 if there are parts enough: all heads of a block are one contiguous run of memory.
        num_slices_(seq_lens.size() * num_splits_ < plan.num_threads ? cache.num_kv_heads : 1),
        group_size_(query.size() / seq_lens.size() / cache.layout().token_size()),
        padded_group_((group_size_ + kHeadsAtOnce - 1) / kHeadsAtOnce * kHeadsAtOnce),
        padded_heads_(cache.num_kv_heads * padded_group_),
        query_(seq_lens.size() * padded_heads_ * cache.head_dim),
        states_(seq_lens.size() * num_splits_ * padded_heads_,
                AttentionState<float>(cache.head_dim)) {
    for (std::size_t i = 0; i < query.size(); ++i) {
      const std::size_t head = padded(i / cache.head_dim);
      query_[head * cache.head_dim + i % cache.head_dim] = scale * query[i];
    }
  }

  std::size_t num_parts() const { return seq_lens_.size() * num_splits_ * num_slices_; }
  void read_part(std::size_t part);
  void write_out(std::span<float> out);

 private:
  // The index of a query head among the padded ones, both counted through all sequences.
  std::size_t padded(std::size_t head) const {
    return head / group_size_ * padded_group_ + head % group_size_;
  }

  std::size_t num_blocks(std::size_t seq) const {
    return (seq_lens_[seq] + kTileTokens - 1) / kTileTokens;
  }

  const Stored* tile(std::size_t seq, std::size_t block, std::size_t head) const {
    const std::size_t row = block_tables_.size() / seq_lens_.size();
    return cache_.tile(block_tables_[seq * row + block], head / padded_group_);
  }

  // The tile that is read after tile(seq, block, head): of the next heads, or of the next block.
  const Stored* tile_after(std::size_t seq, std::size_t block, std::size_t head) const {
    const std::size_t heads = padded_heads_ / num_slices_;
    if ((head + kHeadsAtOnce) % heads != 0) return tile(seq, block, head + kHeadsAtOnce);
    return tile(seq, std::min(block + 1, num_blocks(seq) - 1), head / heads * heads);
  }

  const float* query(std::size_t seq, std::size_t head) const {
    return &query_[(seq * padded_heads_ + head) * cache_.head_dim];
  }

  AttentionState<float>* states(std::size_t seq, std::size_t split, std::size_t head) {
    return &states_[(seq * num_splits_ + split) * padded_heads_ + head];
  }

  const TiledKVCache<Stored>& cache_;
  std::span<const BlockId> block_tables_;      // [num_seqs, max_num_blocks_per_seq]
  std::span<const std::size_t> seq_lens_;      // [num_seqs]
  std::size_t num_splits_;                     // runs of blocks of a sequence
  std::size_t num_slices_;                     // one for each KV head, or one for all
  std::size_t group_size_;                     // query heads that read one KV head
  std::size_t padded_group_;                   // the same, with padding
  std::size_t padded_heads_;                   // padded query heads of a sequence
  std::vector<float> query_;                   // [num_seqs, padded_heads, head_dim], times scale
  std::vector<AttentionState<float>> states_;  // [num_seqs, num_splits, padded_heads]
};

template <class Stored>
void TiledAttention<Stored>::read_part(std::size_t part) {
  const std::size_t seq = part / num_slices_ / num_splits_;
  const std::size_t split = part / num_slices_ % num_splits_;
  const std::size_t slice = part % num_slices_;

  const std::size_t heads = padded_heads_ / num_slices_;
  const std::size_t end_block = num_blocks(seq) * (split + 1) / num_splits_;
  for (std::size_t block = num_blocks(seq) * split / num_splits_; block < end_block; ++block) {
    const std::size_t num_tokens = std::min(kTileTokens, seq_lens_[seq] - block * kTileTokens);
    for (std::size_t head = slice * heads; head < (slice + 1) * heads; head += kHeadsAtOnce) {
      std::span<AttentionState<float>, kHeadsAtOnce> heads_states(states(seq, split, head),
                                                                  kHeadsAtOnce);
      attend_tile<Stored>(tile(seq, block, head), tile_after(seq, block, head), query(seq, head),
                          num_tokens, heads_states);
    }
  }
}

template <class Stored>
void TiledAttention<Stored>::write_out(std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); i += cache_.head_dim) {
    const std::size_t seq = padded(i / cache_.head_dim) / padded_heads_;
    const std::size_t head = padded(i / cache_.head_dim) % padded_heads_;

    AttentionState<float>& state = *states(seq, 0, head);
    for (std::size_t split = 1; split < num_splits_; ++split) {
      merge_attn_states(state, *states(seq, split, head));
    }

    std::ranges::copy(state.out, &out[i]);
    if (state.sum == 0) continue;  // no tokens: zeros
    for (float& number : out.subspan(i, cache_.head_dim)) number /= state.sum;
  }
}

}  // namespace

template <class Stored>
void paged_attention_tiled(std::span<float> out,
                           std::span<const float> query,
                           const TiledKVCache<Stored>& cache,
                           std::span<const BlockId> block_tables,
                           std::span<const std::size_t> seq_lens,
                           float scale,
                           WorkPlan plan) {
  KV_REQUIRE("query and out have a row for each sequence",
             shapes_match(out, query, seq_lens.size(), cache.layout()));
  KV_REQUIRE("I11: each table names a block of the cache for each of its seq_len tokens",
             covers_batch(cache.layout(), block_tables, seq_lens));
  KV_REQUIRE("the tiles have the size of their shape, and head_dim is a multiple of kTileTokens",
             has_its_layout(cache));
  KV_REQUIRE("at least 1 thread and 1 split", plan.num_threads > 0 && plan.num_splits > 0);
  if (seq_lens.empty()) return;

  TiledAttention<Stored> work(query, cache, block_tables, seq_lens, scale, plan);
  parallel_for(plan.num_threads, work.num_parts(), [&](std::size_t part) { work.read_part(part); });
  work.write_out(out);
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(paged_attention_tiled<float>) paged_attention_tiled<float>;
template decltype(paged_attention_tiled<BFloat16>) paged_attention_tiled<BFloat16>;

}  // namespace kv
