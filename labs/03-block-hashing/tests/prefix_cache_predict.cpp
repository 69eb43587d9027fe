// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `pool N` first.

#include <iostream>

#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/predict_script.h"

namespace {

using namespace kv;
using namespace kv::grader;

class Script {
 public:
  explicit Script(const ScriptLine& first)
      : engine_(first.numbers<std::size_t>().at(0), /*block_size=*/4) {}

  bool call(const ScriptLine& line) {
    const std::string name = line.words.empty() ? "" : line.words[0];
    if (line.call == "request") {
      engine_.admit(name, line.numbers<TokenId>(1));
    } else if (line.call == "hit") {
      std::cout << answer_line("hit " + name, engine_.hit(name));
    } else if (line.call == "share") {
      engine_.share(name);
    } else if (line.call == "take") {
      const auto taken = engine_.take(name, line.numbers<std::size_t>(1).at(0));
      std::cout << (taken ? answer_line("take " + name, *taken) : "take " + name + ": none\n");
    } else if (line.call == "seal") {
      engine_.seal(name);
    } else if (line.call == "free") {
      engine_.free(name);
    } else if (line.call == "evict") {
      engine_.pool().evict_blocks(line.numbers<BlockId>());
    } else if (line.call == "reset") {
      std::cout << "reset: " << (engine_.pool().reset_prefix_cache() ? "done" : "refused") << '\n';
    } else {
      return false;
    }
    return true;
  }

  void finish() { std::cout << pool_answer(engine_.pool()); }

 private:
  EngineFixture engine_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_script<Script>(argc, argv);
}
