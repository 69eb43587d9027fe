// Runs one predict question of the README and prints the answer. The script is the only argument:
// one call a line, `pool N` first.

#include <iostream>
#include <stdexcept>

#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/predict_script.h"
#include "kv/require.h"

namespace {

using namespace kv;
using namespace kv::grader;

void call(EngineFixture& engine, const ScriptLine& line) try {
  const std::string name = line.words.empty() ? "" : line.words[0];
  if (line.call == "request") {
    engine.admit(name, line.numbers<TokenId>(1));
  } else if (line.call == "hit") {
    std::cout << answer_line("hit " + name, engine.hit(name));
  } else if (line.call == "share") {
    engine.share(name);
  } else if (line.call == "take") {
    const auto taken = engine.take(name, line.numbers<std::size_t>(1).at(0));
    std::cout << (taken ? answer_line("take " + name, *taken) : "take " + name + ": none\n");
  } else if (line.call == "seal") {
    engine.seal(name);
  } else if (line.call == "free") {
    engine.free(name);
  } else if (line.call == "evict") {
    engine.pool().evict_blocks(line.numbers<BlockId>());
  } else if (line.call == "reset") {
    std::cout << "reset: " << (engine.pool().reset_prefix_cache() ? "done" : "refused") << '\n';
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
  EngineFixture engine(script.at(0).numbers<std::size_t>().at(0), kBlockSize);
  for (std::size_t i = 1; i < script.size(); ++i) call(engine, script[i]);
  std::cout << pool_answer(engine.pool());
}
