// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `cache N B` first: N blocks of B slots, one KV head of one dimension, NaN in all
// of it. Keys are 0, so that all weights are equal and attention is a mean.

#include <iostream>
#include <limits>

#include "05-paged-attention/paged_attention.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using namespace kv::grader;

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : num_blocks_(first.numbers<std::size_t>().at(0)),
        block_size_(first.numbers<std::size_t>().at(1)),
        keys_(num_blocks_ * block_size_, std::numeric_limits<double>::quiet_NaN()),
        values_(keys_) {}

  bool call(const ScriptLine& line) {
    if (line.call == "table") {
      table_ = line.numbers<BlockId>();
    } else if (line.call == "write") {
      write(line.numbers<std::size_t>().at(0), line.numbers<double>(1));
    } else if (line.call == "attend") {
      std::vector<double> out(1);
      paged_attention<double>(out, std::vector<double>(1), cache(), table_,
                              line.numbers<std::size_t>().at(0), 1);
      std::cout << answer_line(line.call, out);
    } else if (line.call == "prefill") {
      const auto numbers = line.numbers<std::size_t>();
      std::vector<double> out(numbers.at(1));
      paged_prefill_attention<double>(out, std::vector<double>(out.size()), cache(), table_,
                                      numbers.at(0), out.size(), 1);
      std::cout << answer_line(line.call, out);
    } else {
      return false;
    }
    return true;
  }

  void finish() {}

 private:
  KVCache<double> cache() { return {{num_blocks_, block_size_, 1, 1}, keys_, values_}; }

  void write(std::size_t start, const std::vector<double>& values) {
    const auto slots = build_slot_mapping(table_, block_size_, start, values.size());
    write_kv<double>(std::vector<double>(values.size()), values, slots, cache());
    std::cout << answer_line("slots", slots);
  }

  std::size_t num_blocks_;
  std::size_t block_size_;
  std::vector<double> keys_;
  std::vector<double> values_;
  std::vector<BlockId> table_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_script<Script>(argc, argv);
}
