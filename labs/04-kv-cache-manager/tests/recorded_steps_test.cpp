// The manager with the rules of vLLM 0.33 does what the one there does, call by call.

#include "01-free-queue/tests/recorded_lines.h"
#include "02-block-pool/tests/recorded_pool_state.h"
#include "04-kv-cache-manager/tests/recorded_manager.h"
#include "reference/golden/block_steps.h"

namespace kv::grader {
namespace {

// A manager that gets the calls of one trace.
class Replay {
 public:
  explicit Replay(const Words& sizes)
      : manager_({.num_gpu_blocks = std::stoul(sizes.at(2)),
                  .block_size = std::stoul(sizes.at(3)),
                  .enable_caching = sizes.at(4) == "1",
                  .has_events = true,
                  .rules = Rules::kVllm033}) {}

  void line(const std::string& line) {
    const Words parts = split_at(line, '|');
    const Words words = words_of(parts[0]);
    call(words);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Words part = words_of(parts[i]);
      if (part[0] == "table") manager_.expect_table(words.at(1), ids_in(part.at(1)));
      state_.read(parts[i]);
    }
    state_.expect(manager_);
  }

 private:
  void call(const Words& words) {
    const auto name = [&] { return words.at(1); };
    if (words[0] == "add") add(words);
    if (words[0] == "append") append(words);
    if (words[0] == "lookup") manager_.expect_found(name(), ids_in(words.at(2)));
    if (words[0] == "alloc") allocate(words);
    if (words[0] == "free") leave(name(), [&] { manager_.free(name()); });
    if (words[0] == "preempt") leave(name(), [&] { manager_.preempt(name()); });
    if (words[0] == "evict") manager_.evict(ids_in(name()));
    if (words[0] == "reset") manager_.expect_reset(name() == "1");
    if (words[0] == "common_prefix") manager_.expect_common(name(), std::stoul(words.at(2)));
  }

  // A digit is a token.
  static Tokens tokens_in(const std::string& digits) {
    Tokens tokens;
    for (const char digit : digits) tokens.push_back(digit - '0');
    return tokens;
  }
  // Those of the last blocks of a request.
  void name_hashes(const std::string& name, const std::string& numbers) {
    const Words named = numbers_in(numbers);
    const std::vector<BlockHash>& hashes = manager_.request(name).block_hashes;
    state_.name({hashes.end() - std::ssize(named), hashes.end()}, named);
  }

  void add(const Words& words) {
    manager_.admit({.request_id = words.at(1),
                    .block_size = manager_.pool().block_size(),
                    .token_ids = tokens_in(words.at(2)),
                    .cache_salt = words.at(4) == "-" ? "" : words.at(4),
                    .skip_reading_prefix_cache = words.at(5) == "1"});
    name_hashes(words.at(1), words.at(3));
  }
  void append(const Words& words) {
    manager_.append(words.at(1), tokens_in(words.at(2)));
    name_hashes(words.at(1), words.at(3));
  }
  void allocate(const Words& words) {
    manager_.request(words.at(1)).num_computed_tokens = std::stoul(words.at(2));
    manager_.expect_allocated(words.at(1), std::stoul(words.at(3)), given_in(words.at(7)),
                              {.hits = ids_in(words.at(4)),
                               .num_lookahead_tokens = std::stoul(words.at(5)),
                               .full_sequence_must_fit = words.at(6) == "1"});
  }
  template <class Call>
  void leave(const std::string& name, Call call) {
    call();
    manager_.expect_table(name, {});
  }

  RecordedManager manager_;
  RecordedPoolState state_;
};

TEST(RecordedSteps, OfTheManager) {
  SPEC("by today's rules, every call does what it did in vLLM 0.33 with the same requests",
       "4.8 preempt", "sets its num_computed_tokens to 0", "4.4 The longest cached beginning",
       "4.6 then takes new blocks", "4.7 the last block first");
  expect_recorded({"manager_steps_0_33.inc", golden::kManagerSteps033},
                  [](const Words& sizes) { return std::make_unique<Replay>(sizes); });
}

}  // namespace
}  // namespace kv::grader
