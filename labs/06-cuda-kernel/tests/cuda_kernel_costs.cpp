// Counts what a rung moves, for the batch of the README's picture. `./lab bench 06` calls this
// program and reads its lines (grader/desk/bench/traffic_bench.cpp):
//
//   lab06_costs          "batch TEXT", and "row RUNG NAME" for each rung
//   lab06_costs RUNG     "traffic" and nine counts, "answer" and a sum over the results,
//                        or "failed" and the reason

#include <cstdio>
#include <numeric>

#include "06-cuda-kernel/tests/plain_batch.h"
#include "06-cuda-kernel/tests/simulated.h"
#include "06-cuda-kernel/tests/traffic_sums.h"
#include "kv/todo.h"

namespace kv::grader {
namespace {

void print_rows() {
  std::puts("batch 4 query heads on one KV head of 128 floats, 96 and 64 tokens, blocks of 16");
  std::puts("row v1 paged_attention_v1 (6.8)");
  std::puts("row warp paged_attention_warp (6.11)");
  std::puts("row group paged_attention_group (6.14)");
  std::puts("row v2 paged_attention_v2 (6.16)");
  std::puts("row tensor paged_attention_tensor (6.23), numbers of 2 bytes");
}

void print_traffic(const TrafficSums& sums) {
  std::printf("traffic");
  for (const std::uint64_t count :
       {sums.requests, sums.sectors, sums.ideal_sectors, sums.wavefronts, sums.ideal_wavefronts,
        sums.bytes_moved, sums.bytes_unique, sums.steps, sums.active_lanes}) {
    std::printf(" %llu", static_cast<unsigned long long>(count));
  }
  std::printf("\n");
}

void count(const std::string& rung) {
  with_batch(rung, {4, 1, 128, 16, {96, 64}}, [&](const auto& batch) {
    const simt::Seen seen =
        seen_of(simt::ThreadOrder::kForward, true, [&] { launch_rung(rung, batch.params()); });
    if (!seen.findings.empty()) {
      const simt::SeenFinding& finding = seen.findings.front();
      std::printf("failed %s in line %d\n", finding.kind.c_str(), finding.at.line);
      return;
    }
    const std::vector<float> results = batch.results();
    print_traffic(sums_of(seen));
    std::printf("answer %.9g\n", std::accumulate(results.begin(), results.end(), 0.0));
  });
}

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  if (argc == 1) {
    kv::grader::print_rows();
    return 0;
  }
  static std::string stub;
  kv::NotImplemented::on_reached = [](const char* step) { stub = step; };
  try {
    kv::grader::count(argv[1]);
  } catch (const std::exception& error) {
    std::printf("failed %s\n", stub.empty() ? error.what() : ("not written: " + stub).c_str());
  }
  return 0;
}
