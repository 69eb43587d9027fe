#include <array>
#include <random>
#include <sstream>
#include <vector>

#include "apps/replay/trace.h"

namespace kv::replay {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 to num - 1. The remainder prefers small numbers by less than 1 in 2^40 here.
  std::uint64_t below(std::uint64_t num) { return engine_() % num; }

  // Most are near `shortest`; each doubling is half as frequent as the one before. A long tail.
  std::size_t long_tailed(std::size_t shortest, int max_doublings) {
    std::size_t length = shortest;
    for (int i = 0; i < max_doublings && below(2) == 0; ++i) length *= 2;
    return length + below(length);
  }

 private:
  std::mt19937_64 engine_;  // the standard says what it gives
};

struct Conversation {
  std::vector<std::uint64_t> full_ids;  // ids of the blocks of 512 tokens that its text fills
  std::size_t length = 0;               // tokens of its text
  std::size_t turns_left = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    constexpr std::array<std::size_t, 6> kSystemPrompts = {300, 700, 1'100, 1'600, 2'600, 5'200};
    for (const std::size_t length : kSystemPrompts) {
      system_prompts_.push_back({.full_ids = {}, .length = 0, .turns_left = 0});
      grow(system_prompts_.back(), length);
    }
  }

  // Seven of ten requests go on with a conversation, a late one most often.
  void write_request(std::ostream& out) {
    timestamp_ += random_.below(400);
    if (open_.empty() || random_.below(10) < 3) begin_conversation();
    const std::size_t back = random_.below(1 + random_.below(open_.size()));
    const std::size_t chosen = open_.size() - 1 - back;
    Conversation& conversation = open_[chosen];
    grow(conversation, random_.long_tailed(24, 7));
    const std::size_t output_length = random_.long_tailed(40, 4);
    write(out, conversation, output_length);
    grow(conversation, output_length);
    if (--conversation.turns_left > 0) return;
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }

 private:
  // Half of the conversations begin with the first system prompt, a quarter with the second.
  void begin_conversation() {
    std::size_t which = 0;
    while (which + 1 < system_prompts_.size() && random_.below(2) == 0) ++which;
    open_.push_back(system_prompts_[which]);
    open_.back().turns_left = 1 + random_.long_tailed(1, 3);
  }

  void grow(Conversation& text, std::size_t num_tokens) {
    text.length += num_tokens;
    while (text.full_ids.size() < text.length / kTraceBlock) text.full_ids.push_back(next_id_++);
  }

  void write(std::ostream& out, const Conversation& prompt, std::size_t output_length) {
    out << "{\"timestamp\": " << timestamp_ << ", \"input_length\": " << prompt.length
        << ", \"output_length\": " << output_length << ", \"hash_ids\": [";
    const char* comma = "";
    for (const std::uint64_t id : prompt.full_ids) {
      out << comma << id;
      comma = ", ";
    }
    // Why a new id: the last block is not full, and in the next turn it holds more.
    if (prompt.length % kTraceBlock != 0) out << comma << next_id_++;
    out << "]}\n";
  }

  Random random_;
  std::vector<Conversation> system_prompts_;
  std::vector<Conversation> open_;  // the latest last
  std::uint64_t next_id_ = 0;
  std::uint64_t timestamp_ = 0;  // milliseconds
};

}  // namespace

void generate_trace(std::ostream& out, std::uint64_t seed, std::size_t num_requests) {
  Generator generator(seed);
  for (std::size_t i = 0; i < num_requests; ++i) generator.write_request(out);
}

Trace default_trace(const ReadOptions& options) {
  std::stringstream lines;
  generate_trace(lines, kDefaultSeed, kDefaultRequests);
  return read_trace(lines, "the default trace", options);
}

}  // namespace kv::replay
