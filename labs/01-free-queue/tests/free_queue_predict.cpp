// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `blocks N` first.

#include <iostream>
#include <string>
#include <vector>

#include "01-free-queue/free_kv_cache_block_queue.h"
#include "01-free-queue/tests/block_ids.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using grader::ids_of;
using grader::ScriptLine;

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : blocks_(first.numbers<std::size_t>().at(0)), queue_(blocks_) {
    BlockId id = 0;
    for (KVCacheBlock& block : blocks_) block.block_id = id++;
  }

  bool call(const ScriptLine& line) {
    const auto numbers = line.numbers<std::size_t>();
    if (line.call == "popleft") {
      const KVCacheBlock* block = queue_.popleft();
      std::cout << "popleft: " << (block ? std::to_string(block->block_id) : "none") << '\n';
    } else if (line.call == "popleft_n") {
      const auto popped = queue_.popleft_n(numbers.at(0));
      std::cout << (popped ? grader::answer_line(line.call, ids_of(*popped)) : "popleft_n: none\n");
    } else if (line.call == "append") {
      queue_.append(blocks_.at(numbers.at(0)));
    } else if (line.call == "remove") {
      queue_.remove(blocks_.at(numbers.at(0)));
    } else if (line.call == "append_n") {
      queue_.append_n(listed(numbers));
    } else if (line.call == "prepend_n") {
      queue_.prepend_n(listed(numbers));
    } else {
      return false;
    }
    return true;
  }

  void finish() const {
    std::cout << grader::answer_line("free", ids_of(queue_.get_all_free_blocks()));
  }

 private:
  std::vector<KVCacheBlock*> listed(const std::vector<std::size_t>& ids) {
    std::vector<KVCacheBlock*> blocks;
    for (const std::size_t id : ids) blocks.push_back(&blocks_.at(id));
    return blocks;
  }

  std::vector<KVCacheBlock> blocks_;
  FreeKVCacheBlockQueue queue_;
};

}  // namespace

int main(int argc, char** argv) {
  return grader::run_script<Script>(argc, argv);
}
