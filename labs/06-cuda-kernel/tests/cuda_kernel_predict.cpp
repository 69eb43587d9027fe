// Answers the predict questions of the README.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <stdexcept>

#include "06-cuda-kernel/tests/plain_batch.h"
#include "06-cuda-kernel/tests/simulated.h"
#include "06-cuda-kernel/tests/traffic_sums.h"
#include "grader/harness/predict_script.h"

namespace kv::grader {
namespace {

class Script {
 public:
  explicit Script(const ScriptLine& line) {
    const auto numbers = line.numbers<int>();
    if (!is_batch(numbers)) throw std::runtime_error("no such batch; batch 1 1 64 16 3 is one");
    sizes_ = {numbers[0], numbers[1], numbers[2], numbers[3], {numbers.begin() + 4, numbers.end()}};
  }

  bool call(const ScriptLine& line) {
    if (line.call != "attend" && line.call != "times") return false;
    const std::string& rung = line.words.at(0);
    with_batch(rung, sizes_, [&](const auto& batch) {
      const simt::Seen seen = seen_of(simt::ThreadOrder::kForward, line.call == "times",
                                      [&] { launch_rung(rung, batch.params()); });
      if (!seen.findings.empty())
        std::cout << rung << ": " << seen.findings.front().kind << '\n';
      else if (line.call == "attend")
        std::cout << answer_line(rung, batch.results());
      else
        print_times(rung, seen);
    });
    return true;
  }

  void finish() const {}

 private:
  // H, K, D and B, and at least one length.
  static bool is_batch(const std::vector<int>& numbers) {
    constexpr std::size_t kNumSizes = 4;
    if (numbers.size() <= kNumSizes) return false;
    const auto lengths = numbers.begin() + kNumSizes;
    return std::all_of(numbers.begin(), lengths, [](int size) { return size > 0; }) &&
           std::all_of(lengths, numbers.end(), [](int length) { return length >= 0; }) &&
           numbers[0] % numbers[1] == 0;
  }

  static void print_times(const std::string& rung, const simt::Seen& seen) {
    const TrafficSums sums = sums_of(seen);
    std::cout << rung << ": each byte moves "
              << std::lround(static_cast<double>(sums.bytes_moved) /
                             static_cast<double>(sums.bytes_unique))
              << " times\n";
  }

  PlainSizes sizes_ = {};
};

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  return kv::grader::run_script<kv::grader::Script>(argc, argv);
}
