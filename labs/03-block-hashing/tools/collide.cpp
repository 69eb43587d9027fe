// collide: a fresh pair of different blocks with the same hash, verified with hash_block_tokens.
// Why it is here: "64 bits are enough" is easier to give up once one has held a counterexample.

#include "03-block-hashing/tools/collide.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "03-block-hashing/block_hash.h"

namespace kv::grader {
namespace {

constexpr int kExitNotFound = 1, kExitUsage = 2;
constexpr int kNumParents = 1000;
constexpr char kUsage[] = "collide [--vocabulary V] [--block-size B] [--seed N]";

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

std::uint64_t parse_number(const std::string& option, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  throw UsageError(option + " takes a whole number from 0 to 2^64 - 1, not \"" + std::string(text) +
                   "\"");
}

Options parse(std::span<char*> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string option = arguments[i];
    std::uint64_t* const number = option == "--vocabulary"   ? &options.vocabulary
                                  : option == "--block-size" ? &options.block_size
                                  : option == "--seed"       ? &options.seed
                                                             : nullptr;
    if (number == nullptr) throw UsageError(option + " is no option; these are: " + kUsage);
    *number = parse_number(option, i + 1 < arguments.size() ? arguments[i + 1] : "");
  }
  require_in_range("--block-size", options.block_size, kMinBlockSize, 65'536,
                   "a lane of XXH64 has to see four tokens");
  require_in_range("--vocabulary", options.vocabulary, kMinVocabulary,
                   std::uint64_t{std::numeric_limits<TokenId>::max()} + 1,
                   "token ids are 31 bits, and four of too few hardly ever collide");
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
  for (int i = 0; i < kNumParents; ++i) tried = common_hash(collision->after_any_parent, tried);
  std::printf("after any parent (checked with %d; here with the hash above):\n", kNumParents);
  print_pair(collision->after_any_parent, common_hash(collision->after_any_parent, parent));
  std::printf("found in %.2f s\n", seconds.count());
  return 0;
}

}  // namespace
}  // namespace kv::grader

int main(int argc, char** argv) {
  using namespace kv::grader;
  try {
    const std::span arguments(argv + 1, argv + std::max(argc, 1));
    if (!arguments.empty() && arguments[0] == std::string_view("--help")) {
      return std::puts(kUsage) < 0;
    }
    return run(parse(arguments));
  } catch (const UsageError& error) {
    std::fprintf(stderr, "collide: %s\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "collide: %s\n", error.what());
    return kExitNotFound;
  }
}
