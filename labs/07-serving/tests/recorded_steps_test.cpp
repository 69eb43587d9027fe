// The scheduler does what those of vLLM 0.22 and 0.33 do, step by step: requests, tokens, blocks
// and both queues.

#include <string_view>

#include "01-free-queue/tests/recorded_lines.h"
#include "07-serving/tests/recorded_scheduler.h"
#include "reference/golden/scheduler_steps.h"

namespace kv::grader {
namespace {

SchedulerSizes sizes_in(const Names& words, Rules rules) {
  const auto number = [&](std::size_t i) { return std::stoul(words.at(i)); };
  return {.num_gpu_blocks = number(3),
          .block_size = number(4),
          .max_num_batched_tokens = number(6),
          .max_num_seqs = number(7),
          .max_model_len = number(5),
          .long_prefill_token_threshold = number(8),
          .enable_chunked_prefill = number(9) == 1,
          .scheduler_reserve_full_isl = number(10) == 1,
          .policy = words[1] == "fcfs" ? SchedulingPolicy::kFcfs : SchedulingPolicy::kPriority,
          .enable_caching = number(11) == 1,
          .rules = rules};
}

// A scheduler that gets the calls of one trace.
class Replay {
 public:
  Replay(const Names& words, Rules rules) : scheduler_(sizes_in(words, rules)) {}

  void line(const std::string& line) {
    const Names parts = split_at(line, '|');
    const Names words = words_of(parts[0]);
    if (words[0] == "add") return add(words);
    if (words[0] == "schedule") schedule(words, parts);
    if (words[0] == "output") update(words, parts);
    if (words[0] == "abort") scheduler_.finish({words[1]});
    if (words[0] == "reset")
      expect_same("reset_prefix_cache to give", words[1] == "1",
                  scheduler_.manager().reset_prefix_cache());
    expect_state({parts.begin() + num_own_parts(words[0]), parts.end()});
  }

 private:
  // Before the state.
  static std::ptrdiff_t num_own_parts(std::string_view call) {
    return call == "schedule" ? 4 : call == "output" ? 2 : 1;
  }

  void add(const Names& words) {
    Tokens tokens;
    for (const char digit : words[5]) tokens.push_back(digit - '0');
    scheduler_.add(words[1], tokens,
                   {.sampling_params = {.max_tokens = std::stoul(words[2])},
                    .priority = std::stoi(words[3]),
                    .arrival_time = std::stod(words[4])});
  }

  void schedule(const Names& words, const Names& parts) {
    Names expected;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const Names entry = split_at(words[i], ':');
      const std::string kind = entry[3] == "n" ? " new" : entry[3] == "r" ? " resumed" : "";
      expected.push_back(entry[0] + " " + entry[1] + "+" + entry[2] + kind);
    }
    const SchedulerOutput& step = scheduler_.schedule();
    expect_same("the step to be", expected, scheduled_by(step));
    expect_same("preempted_req_ids to be", sorted(words_of(parts[1])),
                sorted(step.preempted_req_ids));
    expect_same("finished_req_ids to be", sorted(words_of(parts[2])),
                sorted(step.finished_req_ids));
    scheduler_.expect_common(std::stoul(parts[3]));
    for (std::size_t i = 1; i < words.size(); ++i) expect_blocks(split_at(words[i], ':'));
  }

  // The whole table of an admitted request; of a running one, its last blocks.
  void expect_blocks(const Names& entry) {
    const Ids expected = ids_in(entry[4]);
    Ids yours = scheduler_.table(entry[0]);
    if (entry[3] == "-" && yours.size() > expected.size())
      yours.erase(yours.begin(), yours.end() - static_cast<std::ptrdiff_t>(expected.size()));
    if (yours != expected) expect_same("the blocks of " + entry[0] + " to be", expected, yours);
  }

  void update(const Names& words, const Names& parts) {
    Sampled sampled;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const Names entry = split_at(words[i], ':');
      sampled[entry[0]] = {static_cast<TokenId>(std::stoi(entry[1]))};
    }
    scheduler_.update(scheduler_.step(), sampled);
    Names finished;
    for (const EngineCoreOutput& output : scheduler_.outputs())
      if (output.finish_reason) finished.push_back(output.request_id);
    expect_same("the requests that end to be", sorted(words_of(parts[1])), sorted(finished));
  }

  // WAITING, RUNNING and, if it has changed, FREE.
  void expect_state(const Names& state) {
    scheduler_.expect_waiting(words_of(state[0]));
    scheduler_.expect_running(words_of(state[1]));
    if (state.size() > 2) free_ = ids_in(words_joined(state[2]));
    scheduler_.expect_free(free_);
  }
  static std::string words_joined(const std::string& text) { return joined(words_of(text), "."); }

  RecordedScheduler scheduler_;
  Ids free_;
};

const Recording kOf022 = {"scheduler_steps.inc", golden::kSchedulerSteps};
const Recording kOf033 = {"scheduler_steps_0_33.inc", golden::kSchedulerSteps033};

// policy: empty: both.
void expect_recorded_steps(const Recording& recording, Rules rules, std::string_view policy) {
  expect_recorded(recording, [&](const Names& words) {
    const bool is_wanted = policy.empty() || words[1] == policy;
    return is_wanted ? std::make_unique<Replay>(words, rules) : nullptr;
  });
}

TEST(RecordedSteps, OfFcfs) {
  SPEC("every step is the one that vLLM 0.22's scheduler made with the same requests",
       "7.8 update_from_output", "A request gets its token", "7.4 admitted with its hits",
       "7.5 request that was admitted last");
  expect_recorded_steps(kOf022, Rules::kVllm022, "fcfs");
}

TEST(RecordedSteps, OfPriority) {
  SPEC(
      "every step is the one that vLLM 0.22's scheduler made with the same requests and priorities",
      "7.13 take_least_urgent", "the largest (priority, arrival_time)",
      "7.12 before the first one that goes after it");
  expect_recorded_steps(kOf022, Rules::kVllm022, "priority");
}

TEST(RecordedSteps, OfToday) {
  SPEC("by today's rules, every step is the one that vLLM 0.33's scheduler made",
       "7.20 schedule_after_own_victim", "goes on with those after it");
  expect_recorded_steps(kOf033, Rules::kVllm033, "");
}

}  // namespace
}  // namespace kv::grader
