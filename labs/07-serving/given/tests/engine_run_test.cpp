// A run that goes on for ever ends with a sentence, and no other run does.

#include "07-serving/bench/engine_run.h"

#include "07-serving/tests/tiny_llama.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

// Three steps of eight tokens each: the first two give no token.
ServedRequest long_prompt(const std::string& id) {
  ServedRequest request{
      {.request_id = id, .block_size = 4, .token_ids = std::vector<TokenId>(20, 1)}};
  request.skip_reading_prefix_cache = true;
  return request;
}

TEST(EngineRun, RequestsThatNobodyWaitsForAreNoIdleSteps) {
  const TinyLlama llama(1);
  EngineRun run(
      llama.model(),
      {.num_gpu_blocks = 20,
       .block_size = 4,
       .scheduler = {.max_num_batched_tokens = 8, .max_num_seqs = 1, .max_model_len = 64}});
  for (int i = 0; i < 1'100; ++i) {
    run.add_request(long_prompt(std::to_string(i)));
    EXPECT_HOLDS(run.step().empty()) << "the prompt is not whole yet";
    run.abort(std::to_string(i));
  }
}

}  // namespace
}  // namespace kv::grader
