#pragma once
// More requests and longer prompts than 16 bits count.

#include <string>

#include "07-serving/scheduling_rules.h"
#include "07-serving/tests/recorded_scheduler.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"

namespace kv::grader {

inline constexpr std::size_t kMany = 65'540;  // 4 in 8 bits, and in 16

// Many requests run, and a step has room for all of them, in blocks of one token.
class ManyRequests {
 public:
  explicit ManyRequests(std::size_t threshold = 0)
      : manager_(2 * kMany + 1, 1, 2 * kMany, false),
        scheduler(manager_,
                  {.max_num_batched_tokens = 2 * kMany,
                   .max_num_seqs = kMany,
                   .max_model_len = 2 * kMany,
                   .long_prefill_token_threshold = threshold}) {
    allow_steps(200'000'000);
  }

  void add(std::size_t num_requests, std::size_t num_tokens) {
    for (std::size_t i = 0; i < num_requests; ++i)
      scheduler.add_request(
          {{.request_id = std::to_string(i), .block_size = 1, .token_ids = Tokens(num_tokens, 1)}});
  }

 private:
  KVCacheManager manager_;

 public:
  Scheduler scheduler;
};

// Step 7.4.
inline void expect_many_admitted() {
  log_step("schedule() with 65,543 requests, of which 65,540 may run");
  ManyRequests many;
  many.add(kMany + 3, 1);
  EXPECT_SAME(many.scheduler.schedule().scheduled.size(), kMany) << "admitted requests";
}

inline void expect_long_prompt_to_wait() {
  RecordedScheduler scheduler({.num_gpu_blocks = 3,
                               .block_size = kMany,
                               .max_num_batched_tokens = kMany + 50,
                               .max_model_len = kMany + 50,
                               .enable_chunked_prefill = false});
  scheduler.add("A", Tokens(kMany, 1));
  scheduler.add("B", Tokens(kMany, 2));
  scheduler.expect_step({.scheduled = {"A 0+65540 new"}});
}

inline void expect_large_threshold() {
  RecordedScheduler scheduler({.num_gpu_blocks = 3,
                               .block_size = kMany,
                               .max_num_batched_tokens = 2 * kMany,
                               .long_prefill_token_threshold = 65'536});
  scheduler.add("A", Tokens(kMany, 1));
  scheduler.expect_step({.scheduled = {"A 0+65536 new"}});
}

// Step 7.21.
inline void expect_long_prompt_to_reserve() {
  allow_steps(40'000'000);
  log_step("num_blocks_left_free() while a prompt lacks 99 of its 65,640 tokens");
  KVCacheManager manager(2 * kMany + 1, 1, 2 * kMany, false);
  ServedRequest request{{.request_id = "A", .block_size = 1, .token_ids = Tokens(kMany + 100, 1)}};
  update_block_hashes(request);
  manager.allocate_slots(request, kMany + 1);
  request.num_computed_tokens = kMany + 1;
  SchedulerConfig config = SchedulerSizes{.max_model_len = 2 * kMany}.config();
  config.reserve_prefills = true;
  ServedRequest* const running[] = {&request};
  EXPECT_SAME(num_blocks_left_free(config, manager, running), 99ul) << "blocks to leave free";
}

inline void expect_large_watermark() {
  allow_steps(40'000'000);
  log_step("schedule() with a watermark of 98,310 blocks, and a prompt for which 31 are missing");
  KVCacheManager manager(2 * kMany + 1, 1, 2 * kMany, false);
  Scheduler scheduler(manager, {.max_num_batched_tokens = 2 * kMany,
                                .max_num_seqs = 2,
                                .max_model_len = 2 * kMany,
                                .watermark = 0.75});
  for (const std::size_t num_tokens : {1ul, 32'800ul})
    scheduler.add_request({{.request_id = std::to_string(num_tokens),
                            .block_size = 1,
                            .token_ids = Tokens(num_tokens, 1)}});
  EXPECT_SAME(scheduler.schedule().scheduled.size(), 1ul) << "admitted requests";
}

}  // namespace kv::grader
