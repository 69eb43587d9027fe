#pragma once
// The kernels of all rungs, called alike: what each of them promises is tested once.

#include <map>

#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/decode_batch.h"
#include "06-cuda-kernel/tests/partials.h"
#include "06-cuda-kernel/tests/simulated.h"
#include "06-cuda-kernel/tests/traffic_sums.h"

namespace kv::grader {

// What most rungs have in common.
struct AnyRung {
  using Widest = float;                      // the widest type that it takes
  static constexpr int kMaxGroupSize = 32;   // query heads of a KV head
  static constexpr int kPartitionUnit = 1;   // a partition is a multiple of it
  static constexpr int kPartitionSize = 32;  // so that short sequences have several
  template <class Scalar>
  static constexpr double kWeightRounding = 0;  // weights are float
};

struct V1 : AnyRung {
  static constexpr const char* kName = "V1";
  static constexpr const char* kStep = "6.8 paged_attention_v1";
  static constexpr const char* kCall = "paged_attention_v1()";
  // The words of its contract that say so.
  static constexpr const char* claim(const char* words) { return words; }
  static void launch(const PagedAttentionParams<float>& params, int /*partition_size*/ = 0) {
    launch_paged_attention_v1(params);
  }
};

struct Warp : AnyRung {
  static constexpr const char* kName = "Warp";
  static constexpr const char* kStep = "6.11 paged_attention_warp";
  static constexpr const char* kCall = "paged_attention_warp()";
  static constexpr const char* kTraffic = "moves no sector in vain";
  static constexpr const char* claim(const char*) { return "in one pass"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params, int /*partition_size*/ = 0) {
    launch_paged_attention_warp(params);
  }
};

struct Group : AnyRung {
  static constexpr const char* kName = "Group";
  static constexpr const char* kStep = "6.14 paged_attention_group";
  static constexpr const char* kCall = "paged_attention_group()";
  static constexpr const char* kTraffic = "of a group of four are read from device memory once";
  static constexpr const char* claim(const char*) {
    return "one thread block for up to four query heads";
  }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params, int /*partition_size*/ = 0) {
    launch_paged_attention_group(params);
  }
};

struct V2 : AnyRung {
  static constexpr const char* kName = "V2";
  static constexpr const char* kStep = "6.16 paged_attention_v2_reduce";
  static constexpr const char* kCall = "paged_attention_v2()";
  static constexpr const char* kTraffic = "merges the partitions";
  static constexpr const char* claim(const char*) { return "merges the partitions"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params,
                     int partition_size = kPartitionSize) {
    const int num_partitions = params.max_seq_len / partition_size + 2;  // at least one is empty
    const Partials partials(params, num_partitions);
    launch_paged_attention_v2(partials.results(), params, partition_size);
  }
};

struct Tensor : AnyRung {
  using Widest = __half;
  static constexpr int kMaxGroupSize = kTile;
  static constexpr int kPartitionUnit = kTile;
  static constexpr int kPartitionSize = 5 * kTile;  // one of the warps has two tiles
  // A weight is rounded to Scalar once: by 2^-11 of it for half, by 2^-8 for bfloat16.
  template <class Scalar>
  static constexpr double kWeightRounding = kRounding<Scalar>;

  static constexpr const char* kName = "Tensor";
  static constexpr const char* kStep = "6.23 paged_attention_tensor";
  static constexpr const char* kCall = "paged_attention_tensor()";
  static constexpr const char* kTraffic = "query heads are read from device memory once";
  static constexpr const char* claim(const char*) { return "on tensor cores"; }
  template <class Scalar>
  static void launch(const PagedAttentionParams<Scalar>& params,
                     int partition_size = kPartitionSize) {
    const Partials partials(params, params.max_seq_len / partition_size + 2);
    launch_paged_attention_tensor(partials.results(), params, partition_size);
  }
};

// Which thread block works for what: memory that it needs is not written, and the simulator says
// who reads it.
class OwnBlocks {
 public:
  // launch: the same with all memory written, which has to be clean.
  template <class Launch>
  explicit OwnBlocks(Launch launch) {
    traffic_of(launch);
  }

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

using LaterRungs = testing::Types<Warp, Group, V2, Tensor>;

struct RungName {
  template <class Rung>
  static std::string GetName(int) {
    return Rung::kName;
  }
};

template <class Rung, class Scalar>
void expect_dense(DecodeBatch<Scalar>& batch, int partition_size = Rung::kPartitionSize) {
  log_step({Rung::kCall, Rung::kCall});
  const PagedAttentionParams<Scalar> params = batch.params();
  in_both_orders(
      [&] {
        batch.params();  // out as it was before
        Rung::launch(params, partition_size);
        return batch.out();
      },
      [&](const std::vector<double>& out) {
        batch.expect_dense(out, Rung::template kWeightRounding<Scalar>);
      });
}

template <class Rung, class Scalar = typename Rung::Widest>
void expect_dense(BatchShape shape, float scale = 0, int partition_size = Rung::kPartitionSize) {
  if (testing::Test::HasFailure()) return;
  clear_log();
  DecodeBatch<Scalar> batch(std::move(shape), scale);
  expect_dense<Rung>(batch, partition_size);
}

// By a group of three query heads, which is no whole slice of four.
template <class Rung>
void expect_each_result_written_once() {
  if (testing::Test::HasFailure()) return;
  DecodeBatch<float> batch({3, 1, 64, 16, {40}});
  const PagedAttentionParams<float> params = batch.params();
  log_step({Rung::kCall, Rung::kCall});
  const TrafficSums sums = sums_of(traffic_of([&] { Rung::launch(params); }));
  constexpr std::uint64_t kBytesOfOut = sizeof(float) * 3 * 64;
  EXPECT_HOLDS(sums.bytes_written == kBytesOfOut)
      << "your kernel writes " << sums.bytes_written << " bytes to device memory, and out has "
      << kBytesOfOut;
}

// reads: the end of the message, what reads these sectors and how to do it.
inline void expect_wide_reads(const TrafficSums& sums, std::size_t bytes, const char* reads) {
  EXPECT_HOLDS(10 * sums.sectors_read_wide >= 9 * sums.sectors_read)
      << "with numbers of " << bytes << " bytes, requests of 16 bytes a lane read "
      << sums.sectors_read_wide << " of the " << sums.sectors_read << " sectors that " << reads
      << " is one such request";
}

}  // namespace kv::grader
