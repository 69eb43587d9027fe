#pragma once
// The kernels of all rungs, called alike: what each of them promises is tested once.

#include <map>
#include <type_traits>

#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/decode_batch.h"
#include "06-cuda-kernel/tests/simulated.h"
#include "06-cuda-kernel/tests/traffic_sums.h"

namespace kv::grader {

struct V1 {
  static constexpr const char* kName = "V1";
  static constexpr const char* kStep = "6.7 paged_attention_v1";
  static constexpr const char* kCall = "paged_attention_v1()";
  // The words of its contract that say so.
  static constexpr const char* claim(const char* words) { return words; }
  static void launch(const PagedAttentionParams<float>& params) {
    launch_paged_attention_v1(params);
  }
};

struct Warp {
  static constexpr const char* kName = "Warp";
  static constexpr const char* kStep = "6.11 paged_attention_warp";
  static constexpr const char* kCall = "paged_attention_warp()";
  static constexpr const char* kTraffic = "moves no sector in vain";
  static constexpr const char* claim(const char*) { return "in one pass"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params) {
    launch_paged_attention_warp(params);
  }
};

struct Group {
  static constexpr const char* kName = "Group";
  static constexpr const char* kStep = "6.14 paged_attention_group";
  static constexpr const char* kCall = "paged_attention_group()";
  static constexpr const char* kTraffic = "once for the whole group of query heads";
  static constexpr const char* claim(const char*) { return "one thread block for each KV head"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params) {
    launch_paged_attention_group(params);
  }
};

// Room for the partial results of a batch.
class Partials {
 public:
  template <class Scalar>
  Partials(const PagedAttentionParams<Scalar>& params, int num_partitions)
      : num_partitions_(num_partitions),
        exp_sums_(size_of(params)),
        max_logits_(size_of(params)),
        tmp_out_(size_of(params) * static_cast<std::size_t>(params.head_size)) {}

  PartialResults results() const {
    return {exp_sums_.data(), max_logits_.data(), tmp_out_.data(), num_partitions_};
  }
  std::vector<float> exp_sums() const { return exp_sums_.read(); }
  std::vector<float> max_logits() const { return max_logits_.read(); }
  std::vector<float> tmp_out() const { return tmp_out_.read(); }

 private:
  template <class Scalar>
  std::size_t size_of(const PagedAttentionParams<Scalar>& params) const {
    return static_cast<std::size_t>(params.num_seqs * params.num_heads * num_partitions_);
  }

  int num_partitions_;
  DeviceArray<float> exp_sums_, max_logits_, tmp_out_;
};

// In partitions of 32 tokens, so that short sequences have several.
struct V2 {
  static constexpr const char* kName = "V2";
  static constexpr const char* kStep = "6.16 paged_attention_v2_reduce";
  static constexpr const char* kCall = "paged_attention_v2()";
  static constexpr int kTokens = 32;
  static constexpr const char* kTraffic = "merges the partitions";
  static constexpr const char* claim(const char*) { return "merges the partitions"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params, int partition_size = kTokens) {
    const int num_partitions = params.max_seq_len / partition_size + 2;  // at least one is empty
    const Partials partials(params, num_partitions);
    launch_paged_attention_v2(partials.results(), params, partition_size);
  }
};

// Which thread block works for what: memory that it needs is not written, and the simulator says
// who reads it.
class OwnBlocks {
 public:
  template <class Launch>
  void add(const std::string& what, Launch launch) {
    const std::string block = place_of_finding(launch);
    EXPECT_HOLDS(!block.empty()) << "no thread block has read what " << what << " needs";
    const auto [other, is_new] = owners_.try_emplace(block, what);
    EXPECT_HOLDS(is_new) << block << " works for " << other->second << " and for " << what;
  }

 private:
  std::map<std::string, std::string> owners_ = {};
};

using LaterRungs = testing::Types<Warp, Group, V2>;

struct RungName {
  template <class Rung>
  static std::string GetName(int) {
    return Rung::kName;
  }
};

// partition_size: for V2; the other rungs have no partitions.
template <class Rung, class Scalar>
void launch(const PagedAttentionParams<Scalar>& params, int partition_size) {
  if constexpr (std::is_same_v<Rung, V2>) return V2::launch(params, partition_size);
  Rung::launch(params);
}

template <class Rung, class Scalar>
void expect_dense(DecodeBatch<Scalar>& batch, int partition_size = V2::kTokens) {
  log_step({Rung::kCall, Rung::kCall});
  const PagedAttentionParams<Scalar> params = batch.params();
  in_both_orders(
      [&] {
        batch.params();  // out as it was before
        launch<Rung>(params, partition_size);
        return batch.out();
      },
      [&](const std::vector<double>& out) { batch.expect_dense(out); });
}

template <class Rung, class Scalar = float>
void expect_dense(BatchShape shape, float scale = 0) {
  if (testing::Test::HasFailure()) return;
  clear_log();
  DecodeBatch<Scalar> batch(std::move(shape), scale);
  expect_dense<Rung>(batch);
}

// reads: the end of the message, what reads these sectors and how to do it.
inline void expect_wide_reads(const TrafficSums& sums, std::size_t bytes, const char* reads) {
  EXPECT_HOLDS(10 * sums.sectors_read_wide >= 9 * sums.sectors_read)
      << "with numbers of " << bytes << " bytes, requests of 16 bytes a lane read "
      << sums.sectors_read_wide << " of the " << sums.sectors_read << " sectors that " << reads
      << " is one such request";
}

}  // namespace kv::grader
