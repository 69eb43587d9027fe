// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `pool N` first.

#include <iostream>
#include <stdexcept>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/predict_script.h"
#include "kv/require.h"

namespace {

using namespace kv;
using namespace kv::grader;

void call(BlockPool& pool, const ScriptLine& line) try {
  const Ids ids = line.numbers<BlockId>();
  if (line.call == "get_new_blocks") {
    const auto claimed = pool.get_new_blocks(line.numbers<std::size_t>().at(0));
    std::cout << (claimed ? answer_line(line.call, ids_of(*claimed)) : "get_new_blocks: none\n");
  } else if (line.call == "touch") {
    pool.touch(blocks_of(pool, ids));
  } else if (line.call == "free_blocks") {
    pool.free_blocks(blocks_of(pool, ids));
  } else if (line.call == "seal") {
    seal_alone(pool, ids.at(0));
  } else {
    throw std::runtime_error("no call is named " + line.call);
  }
} catch (const ContractViolation&) {
  std::cout << line.call << ": refused\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr std::size_t kBlockSize = 4;
  const auto script = parse_script(argv[1]);
  BlockPool pool(script.at(0).numbers<std::size_t>().at(0), kBlockSize);
  for (std::size_t i = 1; i < script.size(); ++i) call(pool, script[i]);
  std::cout << pool_answer(pool);
}
