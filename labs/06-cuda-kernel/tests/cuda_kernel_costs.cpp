// Prints what each rung moves, for the batch of the README's picture.

#include <cstdio>

#include "06-cuda-kernel/tests/plain_batch.h"
#include "simt/session.h"

namespace kv::grader {
namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

void print_row(const char* rung, const simt::Seen& seen) {
  std::uint64_t requests = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  for (const simt::LineTraffic& line : seen.lines) {
    requests += line.is_shared ? 0 : line.requests;
    sectors += line.sectors;
    ideal_sectors += line.ideal_sectors;
    wavefronts += line.wavefronts;
    ideal_wavefronts += line.ideal_wavefronts;
  }
  std::uint64_t moved = 0, different = 0, steps = 0, lanes = 0;
  for (const simt::LaunchTraffic& kernel : seen.kernels) {
    moved += kernel.bytes_moved;
    different += kernel.bytes_unique;
    steps += kernel.steps;
    lanes += kernel.active_lanes;
  }
  std::printf("%-7s%10llu%10.1f%10.1f%10.0f%10.0f%10.1f%10.1f%10.1f\n", rung,
              static_cast<unsigned long long>(requests), ratio(sectors, requests),
              ratio(sectors, ideal_sectors), static_cast<double>(moved) / 1000,
              static_cast<double>(different) / 1000, ratio(moved, different),
              ratio(wavefronts, ideal_wavefronts), ratio(lanes, steps));
}

}  // namespace
}  // namespace kv::grader

int main() {
  using namespace kv::grader;
  const PlainBatch batch(4, 1, 128, 16, {96, 64});
  std::printf(
      "         requests sectors/r    /ideal  moved kB differ kB    /diff. wavefr/i.  lanes/32\n");
  for (const char* rung : {"v1", "warp", "group", "v2"}) {
    kv::simt::begin_session(kv::simt::ThreadOrder::kForward, true);
    launch_rung(rung, batch.params());
    print_row(rung, kv::simt::seen_in_session());
  }
  return 0;
}
