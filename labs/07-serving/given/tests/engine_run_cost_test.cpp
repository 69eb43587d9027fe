// What a run costs beside the engine's own steps.

#include "07-serving/bench/engine_run.h"
#include "07-serving/tests/tiny_llama.h"
#include "grader/harness/cost.h"

namespace kv::grader {
namespace {

ServedRequest request_of(const std::string& id) {
  ServedRequest request{{.request_id = id, .block_size = 4, .token_ids = {1, 2, 3}}};
  request.sampling_params.max_tokens = 20;
  return request;
}

// One request runs.
Cost cost_of_a_step_beside(std::size_t num_waiting) {
  const TinyLlama llama(1);
  EngineRun run(
      llama.model(),
      {.num_gpu_blocks = 20,
       .block_size = 4,
       .scheduler = {.max_num_batched_tokens = 8, .max_num_seqs = 1, .max_model_len = 64}});
  for (std::size_t i = 0; i <= num_waiting; ++i) run.add_request(request_of(std::to_string(i)));
  const auto step = [&] { return cost_of([&] { run.step(); }); };
  run.step();
  return cheaper_of(step(), step());
}

TEST(EngineRun, AStepDoesNotLookAtThoseThatWait) {
  expect_cost({"EngineRun::step()", "requests waiting", cost_of_a_step_beside,
               Memory::kMayBeAskedFor, 20'000});
}

}  // namespace
}  // namespace kv::grader
