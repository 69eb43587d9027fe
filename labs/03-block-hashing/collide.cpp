// collide: a fresh pair of different blocks with the same hash, verified with hash_block_tokens.
// Why it is here: "64 bits are enough" is easier to give up once one has held a counterexample.

#include "03-block-hashing/collide.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include "03-block-hashing/block_hash.h"

namespace kv::grader {
namespace {

constexpr int kExitNotFound = 1, kExitUsage = 2;
constexpr int kNumParents = 1000;

struct Options {
  std::uint64_t vocabulary = 151'936;
  std::uint64_t block_size = 16;
  std::uint64_t seed = 1;
};

class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require_in_range(const char* option,
                      std::uint64_t value,
                      std::uint64_t least,
                      std::uint64_t most,
                      const std::string& why) {
  if (value >= least && value <= most) return;
  throw UsageError(std::string(option) + ' ' + std::to_string(value) + " does not work: " + why +
                   "; from " + std::to_string(least) + " to " + std::to_string(most) + " does");
}

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app{"Finds different blocks with equal hashes, and checks them with hash_block_tokens."};
  app.add_option("--vocabulary", options.vocabulary, "token ids below this")->capture_default_str();
  app.add_option("--block-size", options.block_size, "tokens in a block")->capture_default_str();
  app.add_option("--seed", options.seed, "another seed, another pair")->capture_default_str();
  app.footer("exit codes: 0 found, 1 not found, 2 wrong use");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) std::exit(app.exit(error));  // --help
    throw UsageError(std::string(error.what()) +
                     " (what works: --vocabulary V, --block-size B and --seed N, each followed by "
                     "a whole number that is not negative)");
  }
  require_in_range("--block-size", options.block_size, kMinBlockSize, 65'536,
                   "a lane of XXH64 has to see three tokens or more");
  require_in_range("--vocabulary", options.vocabulary, min_vocabulary(options.block_size),
                   std::uint64_t{std::numeric_limits<TokenId>::max()} + 1,
                   "token ids are 31 bits, and a lane has to see enough different ones");
  return options;
}

// The hash of both blocks. The search is not taken at its word.
BlockHash common_hash(const BlockPair& pair, std::optional<BlockHash> parent) {
  const BlockHash hash = hash_block_tokens(parent, pair.a, {});
  if (pair.a == pair.b || hash != hash_block_tokens(parent, pair.b, {})) {
    throw std::logic_error(
        "the blocks found are no collision of hash_block_tokens: run the golden "
        "vectors of lab 03 first, for the search assumes XXH64");
  }
  return hash;
}

void print_pair(const BlockPair& pair, BlockHash hash) {
  for (const std::vector<TokenId>& block : {pair.a, pair.b}) {
    std::string text;
    for (const TokenId token : block) text += std::to_string(token) + ' ';
    text.pop_back();
    std::printf("  [%s]\n", text.c_str());
  }
  std::printf("  hash 0x%016llx\n", static_cast<unsigned long long>(hash));
}

int run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto collision =
      CollisionSearch(options.vocabulary, options.block_size, options.seed).run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!collision) {
    std::fprintf(stderr,
                 "collide: nothing found with this seed, which hardly ever happens: try "
                 "another one, as --seed 2\n");
    return kExitNotFound;
  }
  const BlockHash parent = common_hash(collision->without_parent, std::nullopt);
  std::printf("without a parent:\n");
  print_pair(collision->without_parent, parent);
  BlockHash tried = parent;
  for (int i = 0; i < kNumParents; ++i) tried = common_hash(collision->behind_any_parent, tried);
  std::printf("behind any parent (checked with %d; here with the hash above):\n", kNumParents);
  print_pair(collision->behind_any_parent, common_hash(collision->behind_any_parent, parent));
  std::printf("found in %.2f s\n", seconds.count());
  return 0;
}

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  using namespace kv::grader;
  try {
    return run(parse(argc, argv));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "collide: %s\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "collide: %s\n", error.what());
    return kExitNotFound;
  }
}
