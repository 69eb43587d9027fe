#pragma once
// A step of several requests for attention_forward: some of their tokens are in a cache among
// poison, the others are rows of the step.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "07-serving/model_input.h"

namespace kv::grader {

// What a step computes of a request, whose keys, values and queries are those of its seed.
struct RowsOf {
  std::uint64_t seed;
  std::size_t context_len;
  std::size_t num_tokens;
  // Its first tokens, in the blocks of another request of the step, which has the same ones.
  std::size_t num_shared = 0;
  std::size_t shared_with = 0;

  std::size_t seq_len() const { return context_len + num_tokens; }
};

struct StepShape {
  std::size_t num_heads = 4;
  std::size_t num_kv_heads = 2;
  std::size_t head_dim = 5;
  std::size_t block_size = 4;
};

class AttentionStep {
 public:
  AttentionStep(const StepShape& shape, std::vector<RowsOf> requests, std::uint64_t placement = 7)
      : shape_(shape),
        requests_(std::move(requests)),
        layout_{num_blocks_of_all(), shape.block_size, shape.num_kv_heads, shape.head_dim},
        cache_(layout_, kPoisons<float>[0]) {
    log_shape();
    for (const RowsOf& request : requests_) add_numbers(request);
    for (const RowsOf& request : requests_) share_numbers(request);
    make_tables(placement);
    for (std::size_t req = 0; req < requests_.size(); ++req) add_rows(req);
    out_.assign(query_.size(), unwritten<float>());
  }

  ModelInput& input() { return input_; }
  std::vector<float>& out() { return out_; }
  std::vector<float>& query() { return query_; }
  std::vector<float>& key() { return key_; }
  std::vector<float>& value() { return value_; }
  PagedLayout& layout() { return layout_; }

  void attend() {
    KVCache<float> cache = cache_.view();
    cache.layout = layout_;
    attention_forward(out_, query_, key_, value_, cache, input_, kScale);
  }

  // Each row against attention over contiguous keys and values.
  void expect_dense() {
    log_step({"attention_forward(num_tokens)", "attention_forward: {0} rows"}, key_rows());
    attend();
    log_returned();
    for (std::size_t req = 0; req < requests_.size(); ++req) {
      for (std::size_t i = 0; i < requests_[req].num_tokens; ++i) expect_dense(req, i);
    }
  }

  // The cache as it was, with the key and the value of each row where its table says.
  void expect_rows_written() {
    for (std::size_t req = 0; req < requests_.size(); ++req) {
      const RowsOf& request = requests_[req];
      for (std::size_t at = request.context_len; at < request.seq_len(); ++at)
        before_->put(sequences_[req], tables_[req], at);
    }
    expect_cache_unchanged("the cache has the rows of the step, and else what it had");
  }
  void keep_cache() { before_ = cache_; }
  // Bit for bit, because poison is no number.
  void expect_cache_unchanged(const char* why) {
    const KVCache<float> yours = cache_.view(), expected = before_->view();
    EXPECT_HOLDS(has_same_bits(yours.key_cache, expected.key_cache) &&
                 has_same_bits(yours.value_cache, expected.value_cache))
        << why;
  }

  // The result of one request.
  std::vector<float> out_of(std::size_t req) const {
    const auto begin = out_.begin() + static_cast<std::ptrdiff_t>(first_row(req) * row_size());
    return {begin, begin + static_cast<std::ptrdiff_t>(requests_[req].num_tokens * row_size())};
  }

 private:
  static constexpr float kScale = 0.3f;

  // Row i of a request.
  void expect_dense(std::size_t req, std::size_t i) {
    const std::size_t position = requests_[req].context_len + i, at = first_row(req) + i;
    log_step({"compare(request, position)", "request {0}, its query at position {1}"}, req,
             position);
    expect_near(row(out_, at),
                oracle::dense_attention(sequences_[req], as<double>(row(query_, at)), position + 1,
                                        double{kScale}),
                tolerance_of<float>(shape_.head_dim + position + 1), shape_.head_dim,
                slots_of(req));
  }

  static bool has_same_bits(std::span<const float> a, std::span<const float> b) {
    return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  }
  std::size_t num_blocks_of(const RowsOf& request) const {
    return (request.seq_len() + shape_.block_size - 1) / shape_.block_size;
  }
  // The null block, two that nobody has, and those of all requests.
  std::size_t num_blocks_of_all() const {
    std::size_t num_blocks = 3;
    for (const RowsOf& request : requests_) num_blocks += num_blocks_of(request);
    return num_blocks;
  }
  std::size_t row_size() const { return shape_.num_heads * shape_.head_dim; }
  std::size_t key_rows() const { return input_.slot_mapping.size(); }
  std::size_t first_row(std::size_t req) const { return input_.query_start_loc[req]; }
  std::vector<float> row(const std::vector<float>& numbers, std::size_t i) const {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(i * row_size());
    return {begin, begin + static_cast<std::ptrdiff_t>(row_size())};
  }

  void log_shape() {
    constexpr std::size_t kMostShown = 5;
    std::string texts;
    for (const RowsOf& request :
         std::span(requests_).first(std::min(requests_.size(), kMostShown))) {
      texts += (texts.empty() ? "" : ", ") + std::to_string(request.context_len) + "+" +
               std::to_string(request.num_tokens);
      if (request.num_shared > 0)
        texts += " (" + std::to_string(request.num_shared) + " shared with request " +
                 std::to_string(request.shared_with) + ")";
    }
    if (requests_.size() > kMostShown)
      texts += ", ... of " + std::to_string(requests_.size()) + " requests";
    log_start("",
              {"step(num_heads, num_kv_heads, head_dim, block_size, requests)",
               "num_heads {0}, num_kv_heads {1}, head_dim {2}, block_size {3}; tokens before the "
               "step and in it, by request: {4}"},
              shape_.num_heads, shape_.num_kv_heads, shape_.head_dim, shape_.block_size, texts);
  }

  // The same numbers for a seed, whatever is computed of the request.
  void add_numbers(const RowsOf& request) {
    Random random(request.seed);
    const std::size_t token_size = shape_.num_kv_heads * shape_.head_dim;
    oracle::DenseSequence sequence = {shape_.num_kv_heads, shape_.head_dim};
    std::vector<float> queries;
    for (std::size_t i = 0; i < request.seq_len(); ++i) {
      std::ranges::copy(random_numbers(random, token_size), std::back_inserter(sequence.keys));
      std::ranges::copy(random_numbers(random, token_size), std::back_inserter(sequence.values));
      std::ranges::copy(as<float>(random_numbers(random, row_size())), std::back_inserter(queries));
    }
    sequences_.push_back(std::move(sequence));
    queries_.push_back(std::move(queries));
  }

  void share_numbers(const RowsOf& request) {
    oracle::DenseSequence& own = sequences_[static_cast<std::size_t>(&request - requests_.data())];
    const oracle::DenseSequence& other = sequences_[request.shared_with];
    const auto num =
        static_cast<std::ptrdiff_t>(request.num_shared * shape_.num_kv_heads * shape_.head_dim);
    std::copy_n(other.keys.begin(), num, own.keys.begin());
    std::copy_n(other.values.begin(), num, own.values.begin());
  }

  void make_tables(std::uint64_t placement) {
    Random random(placement);
    std::vector<BlockId> ids = shuffled_ids(random, layout_.num_blocks);
    for (const RowsOf& request : requests_) {
      std::vector<BlockId>& table = tables_.emplace_back();
      for (std::size_t i = 0; i < num_blocks_of(request); ++i) {
        table.push_back(ids.back());
        ids.pop_back();
      }
      input_.max_num_blocks = std::max(input_.max_num_blocks, table.size());
    }
    for (std::size_t req = 0; req < requests_.size(); ++req) {
      for (std::size_t i = 0; i < requests_[req].num_shared / shape_.block_size; ++i)
        tables_[req][i] = tables_[requests_[req].shared_with][i];
    }
    input_.query_start_loc = {0};
  }

  void add_rows(std::size_t req) {
    const RowsOf& request = requests_[req];
    const std::vector<BlockId>& table = tables_[req];
    for (std::size_t at = 0; at < request.context_len; ++at) {
      const bool is_row_of_other =
          at < request.num_shared && at >= requests_[request.shared_with].context_len;
      if (!is_row_of_other) cache_.put(sequences_[req], table, at);
    }
    for (std::size_t at = request.context_len; at < request.seq_len(); ++at) add_row(req, at);
    input_.query_start_loc.push_back(input_.slot_mapping.size());
    input_.seq_lens.push_back(request.seq_len());
    input_.block_tables.insert(input_.block_tables.end(), table.begin(), table.end());
    input_.block_tables.resize(input_.num_reqs() * input_.max_num_blocks, 0);
  }

  SlotId slot_of(std::size_t req, std::size_t position) const {
    const auto size = static_cast<SlotId>(shape_.block_size);
    return tables_[req][position / shape_.block_size] * size + static_cast<SlotId>(position) % size;
  }
  std::vector<SlotId> slots_of(std::size_t req) const {
    std::vector<SlotId> slots;
    for (std::size_t i = 0; i < requests_[req].seq_len(); ++i) slots.push_back(slot_of(req, i));
    return slots;
  }

  void add_row(std::size_t req, std::size_t position) {
    input_.input_ids.push_back(static_cast<TokenId>(position));
    input_.positions.push_back(position);
    input_.slot_mapping.push_back(slot_of(req, position));

    const std::size_t token_size = shape_.num_kv_heads * shape_.head_dim;
    for (std::size_t i = position * token_size; i < (position + 1) * token_size; ++i) {
      key_.push_back(static_cast<float>(sequences_[req].keys[i]));
      value_.push_back(static_cast<float>(sequences_[req].values[i]));
    }
    const auto begin = queries_[req].begin() + static_cast<std::ptrdiff_t>(position * row_size());
    query_.insert(query_.end(), begin, begin + static_cast<std::ptrdiff_t>(row_size()));
  }

  StepShape shape_;
  std::vector<RowsOf> requests_;
  std::vector<oracle::DenseSequence> sequences_;
  std::vector<std::vector<float>> queries_;  // [request][seq_len, num_heads, head_dim]
  std::vector<std::vector<BlockId>> tables_;
  PagedLayout layout_;
  PoisonedCache<float> cache_;
  std::optional<PoisonedCache<float>> before_;
  ModelInput input_;
  std::vector<float> key_, value_, query_, out_;  // the rows, one after the other
};

}  // namespace kv::grader
