// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `blocks N` first.

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "01-free-queue/free_kv_cache_block_queue.h"
#include "kv/require.h"

namespace {

using namespace kv;

void print(const std::string& name, const std::vector<KVCacheBlock*>& blocks) {
  std::cout << name << ':';
  for (const KVCacheBlock* block : blocks) std::cout << ' ' << block->block_id;
  std::cout << '\n';
}

class Script {
 public:
  explicit Script(std::size_t num_blocks) : blocks_(num_blocks), queue_(blocks_) {
    for (std::size_t id = 0; id < num_blocks; ++id) blocks_[id].block_id = static_cast<BlockId>(id);
  }

  void call(const std::string& name, const std::vector<std::size_t>& arguments) try {
    std::vector<KVCacheBlock*> named;
    if (name == "popleft_n") {
      const auto popped = queue_.popleft_n(arguments.at(0));
      return popped ? print(name, *popped) : void(std::cout << name << ": none\n");
    }
    for (const std::size_t id : arguments) named.push_back(&blocks_.at(id));
    if (name == "popleft") {
      const KVCacheBlock* block = queue_.popleft();
      std::cout << name << ": " << (block ? std::to_string(block->block_id) : "none") << '\n';
    } else if (name == "append") {
      queue_.append(*named.at(0));
    } else if (name == "remove") {
      queue_.remove(*named.at(0));
    } else if (name == "append_n") {
      queue_.append_n(named);
    } else {
      throw std::runtime_error("no call is named " + name);
    }
  } catch (const ContractViolation&) {
    std::cout << name << ": refused\n";
  }

  void finish() const { print("free", queue_.get_all_free_blocks()); }

 private:
  std::vector<KVCacheBlock> blocks_;
  FreeKVCacheBlockQueue queue_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::istringstream lines(argv[1]);
  std::string word;
  std::size_t num_blocks = 0;
  lines >> word >> num_blocks;
  Script script(num_blocks);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!(words >> word)) continue;
    std::vector<std::size_t> arguments;
    for (std::size_t argument = 0; words >> argument;) arguments.push_back(argument);
    script.call(word, arguments);
  }
  script.finish();
}
