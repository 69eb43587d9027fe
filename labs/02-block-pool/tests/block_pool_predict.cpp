// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `pool N` first, or `unhashed_first N`.

#include <iostream>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using namespace kv::grader;

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : pool_(first.numbers<std::size_t>().at(0),
              /*block_size=*/4,
              /*enable_caching=*/true,
              first.call == "unhashed_first" ? EvictionOrder::kUnhashedFirst
                                             : EvictionOrder::kFreedFirst) {}

  bool call(const ScriptLine& line) {
    const Ids ids = line.numbers<BlockId>();
    if (line.call == "get_new_blocks") {
      const auto claimed = pool_.get_new_blocks(line.numbers<std::size_t>().at(0));
      std::cout << (claimed ? answer_line(line.call, ids_of(*claimed)) : "get_new_blocks: none\n");
    } else if (line.call == "touch") {
      pool_.touch(blocks_of(pool_, ids));
    } else if (line.call == "free_blocks") {
      pool_.free_blocks(blocks_of(pool_, ids));
    } else if (line.call == "seal") {
      seal_alone(pool_, ids.at(0));
    } else {
      return false;
    }
    return true;
  }

  void finish() { std::cout << pool_answer(pool_); }

 private:
  BlockPool pool_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_script<Script>(argc, argv);
}
