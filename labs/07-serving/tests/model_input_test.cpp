// Step 7.9: the rows of a step, and where the keys and values of each are.

#include "07-serving/model_input.h"

#include <gtest/gtest.h>

#include <vector>

#include "07-serving/tests/recorded_scheduler.h"
#include "grader/harness/endless.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

constexpr const char* kPrepareInputs = "7.9 prepare_inputs";

ModelInput input_of(RecordedScheduler& scheduler) {
  log_step({"prepare_inputs(output)", "prepare_inputs(the last step)"});
  return prepare_inputs(scheduler.step(), scheduler.raw(), scheduler.manager());
}

// Where tokens of a request are, without asking the code under test.
std::vector<SlotId> slots_of(RecordedScheduler& scheduler,
                             const std::string& name,
                             std::size_t start,
                             std::size_t num_tokens) {
  const Ids table = scheduler.table(name);
  const std::size_t size = scheduler.pool().block_size();
  std::vector<SlotId> slots;
  for (std::size_t at = start; at < start + num_tokens; ++at)
    slots.push_back(
        static_cast<SlotId>(static_cast<std::size_t>(table[at / size]) * size + at % size));
  return slots;
}

TEST(PrepareInputs, ATokenAndAChunk) {
  SPEC("the rows of all requests, one request after the other", kPrepareInputs,
       "in the order of output.scheduled");
  RecordedScheduler scheduler({.block_size = 2, .max_num_batched_tokens = 3});
  scheduler.add("B", {1, 2, 3, 4});
  scheduler.expect_step({.scheduled = {"B 0+3 new"}});
  scheduler.update(scheduler.step(), {});
  scheduler.expect_step({.scheduled = {"B 3+1"}});
  scheduler.update(scheduler.step(), {{"B", {5}}});
  scheduler.add("A", {1, 2, 7, 8, 9, 9});
  scheduler.expect_step({.scheduled = {"B 4+1", "A 2+2 new"}});

  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{5, 7, 8}, input.input_ids);
  expect_same("positions to be", std::vector<std::size_t>{4, 2, 3}, input.positions);
  expect_same("slot_mapping to be", std::vector<SlotId>{6, 8, 9}, input.slot_mapping);
  expect_same("query_start_loc to be", std::vector<std::size_t>{0, 1, 3}, input.query_start_loc);
  expect_same("seq_lens to be", std::vector<std::size_t>{5, 4}, input.seq_lens);
  expect_same("block_tables to be", std::vector<BlockId>{1, 2, 3, 1, 4, 0}, input.block_tables);
  expect_same("max_num_blocks to be", 3u, input.max_num_blocks);
}

TEST(PrepareInputs, OfAnEmptyStep) {
  SPEC("a step with nothing to compute has no rows", kPrepareInputs,
       "The input of the model for a step");
  RecordedScheduler scheduler({});
  scheduler.schedule();
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{}, input.input_ids);
  expect_same("query_start_loc to be", std::vector<std::size_t>{0}, input.query_start_loc);
  expect_same("num_reqs to be", 0u, input.num_reqs());
}

void expect_a_chunk_in_the_middle() {
  RecordedScheduler scheduler({.block_size = 7, .max_num_batched_tokens = 4});
  scheduler.add("A", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  scheduler.schedule();
  scheduler.update(scheduler.step(), {});
  scheduler.expect_step({.scheduled = {"A 4+4"}});
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{5, 6, 7, 8}, input.input_ids);
  expect_same("positions to be", std::vector<std::size_t>{4, 5, 6, 7}, input.positions);
  expect_same("slot_mapping to be", std::vector<SlotId>{11, 12, 13, 14}, input.slot_mapping);
  expect_same("seq_lens to be", std::vector<std::size_t>{8}, input.seq_lens);
  expect_same("block_tables to be", std::vector<BlockId>{1, 2}, input.block_tables);
}

TEST(PrepareInputs, APromptOrAPart) {
  SPEC("a prompt, or a part of it after what is computed, has a row for each token of the step",
       kPrepareInputs, "The input of the model for a step");
  RecordedScheduler scheduler({.block_size = 4});
  scheduler.add("A", {3, 1, 4, 1, 5, 9, 2, 6, 5});
  scheduler.schedule();
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{3, 1, 4, 1, 5, 9, 2, 6, 5}, input.input_ids);
  expect_same("slot_mapping to be", std::vector<SlotId>{4, 5, 6, 7, 8, 9, 10, 11, 12},
              input.slot_mapping);
  expect_same("the table to be", std::vector<BlockId>{1, 2, 3}, input.block_tables);
  expect_a_chunk_in_the_middle();
}

void expect_a_long_table_that_is_not_in_the_step() {
  RecordedScheduler scheduler({.block_size = 2, .max_num_batched_tokens = 6});
  scheduler.add("A", {1, 2, 3, 4, 5});
  scheduler.add("B", {6, 7});
  scheduler.expect_step({.scheduled = {"A 0+5 new", "B 0+1 new"}});
  scheduler.expect_step({.scheduled = {"B 1+1"}});
  const ModelInput input = input_of(scheduler);
  expect_same("max_num_blocks to be", 1u, input.max_num_blocks);
  expect_same("block_tables to be", scheduler.table("B"), input.block_tables);
}

TEST(PrepareInputs, RequestsThatDoNotCompute) {
  SPEC("a running request that is not in the step has no rows, and its table does not count",
       kPrepareInputs, "in the order of output.scheduled", "The input of the model for a step");
  RecordedScheduler scheduler({.block_size = 2, .max_num_batched_tokens = 4});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3, 4});
  scheduler.schedule();
  scheduler.update(scheduler.step(), {{"A", {5}}, {"B", {6}}});
  scheduler.add("C", {7, 7, 7, 7, 7});
  scheduler.expect_step({.scheduled = {"A 2+1", "B 2+1", "C 0+2 new"}});
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{5, 6, 7, 7}, input.input_ids);
  expect_same("seq_lens to be", std::vector<std::size_t>{3, 3, 2}, input.seq_lens);
  expect_same("block_tables to be", std::vector<BlockId>{1, 3, 2, 4, 5, 0}, input.block_tables);
  expect_a_long_table_that_is_not_in_the_step();
}

TEST(PrepareInputs, ABlockThatIsWrittenInTheSameStep) {
  SPEC("hits are no rows, also where another request computes them in the same step",
       kPrepareInputs, "The input of the model for a step");
  RecordedScheduler scheduler({.block_size = 2});
  scheduler.add("A", {1, 2, 3});
  scheduler.add("B", {1, 2, 4, 5});
  scheduler.expect_step({.scheduled = {"A 0+3 new", "B 2+2 new"}});
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{1, 2, 3, 4, 5}, input.input_ids);
  expect_same("positions to be", std::vector<std::size_t>{0, 1, 2, 2, 3}, input.positions);
  expect_same("slot_mapping to be", std::vector<SlotId>{2, 3, 4, 6, 7}, input.slot_mapping);
  expect_same("query_start_loc to be", std::vector<std::size_t>{0, 3, 5}, input.query_start_loc);
  expect_same("block_tables to be", std::vector<BlockId>{1, 2, 1, 3}, input.block_tables);
}

TEST(PrepareInputs, OfAPreemptedRequest) {
  SPEC("a request that resumes has rows of its output too", kPrepareInputs,
       "The input of the model for a step");
  RecordedScheduler scheduler({.num_gpu_blocks = 5, .block_size = 1, .enable_caching = false});
  scheduler.add("A", {1, 2});
  scheduler.add("B", {3});
  scheduler.schedule();
  scheduler.update(scheduler.step(), {{"A", {5}}, {"B", {6}}});
  scheduler.expect_step({.scheduled = {"A 2+1"}, .preempted = {"B"}});
  scheduler.finish({"A"});
  scheduler.expect_step({.scheduled = {"B 0+2 resumed"}, .finished = {"A"}});
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{3, 6}, input.input_ids);
  expect_same("positions to be", std::vector<std::size_t>{0, 1}, input.positions);
  expect_same("the slots to be", slots_of(scheduler, "B", 0, 2), input.slot_mapping);
  expect_same("the table to be", scheduler.table("B"), input.block_tables);
}

// Each entry by its definition.
void expect_input_of_step(RecordedScheduler& scheduler) {
  ModelInput expected;
  expected.query_start_loc = {0};
  for (const ScheduledRequest& scheduled : scheduler.step().scheduled)
    expected.max_num_blocks =
        std::max(expected.max_num_blocks, scheduler.table(scheduled.request_id).size());
  for (const auto& [name, scheduled_as, start, num_tokens, drafts] : scheduler.step().scheduled) {
    const auto first = scheduler.request(name).token_ids.begin() + static_cast<int>(start);
    expected.input_ids.insert(expected.input_ids.end(), first,
                              first + static_cast<int>(num_tokens));
    const auto slots = slots_of(scheduler, name, start, num_tokens);
    expected.slot_mapping.insert(expected.slot_mapping.end(), slots.begin(), slots.end());
    for (std::size_t i = 0; i < num_tokens; ++i) expected.positions.push_back(start + i);
    expected.query_start_loc.push_back(expected.input_ids.size());
    expected.seq_lens.push_back(start + num_tokens);
    Ids row = scheduler.table(name);
    row.resize(expected.max_num_blocks, 0);
    expected.block_tables.insert(expected.block_tables.end(), row.begin(), row.end());
  }

  const ModelInput yours = input_of(scheduler);
  expect_same("input_ids to be", expected.input_ids, yours.input_ids);
  expect_same("positions to be", expected.positions, yours.positions);
  expect_same("slot_mapping to be", expected.slot_mapping, yours.slot_mapping);
  expect_same("query_start_loc to be", expected.query_start_loc, yours.query_start_loc);
  expect_same("seq_lens to be", expected.seq_lens, yours.seq_lens);
  expect_same("max_num_blocks to be", expected.max_num_blocks, yours.max_num_blocks);
  expect_same("block_tables to be", expected.block_tables, yours.block_tables);
}

// Prompts, steps and tokens at random, with few blocks.
void expect_inputs_of_random_steps(std::uint64_t seed) {
  Random random(seed);
  constexpr std::size_t kBlockSizes[] = {1, 2, 7, 16};
  const std::size_t block_size = kBlockSizes[seed % 4];
  RecordedScheduler scheduler({.num_gpu_blocks = 40 / block_size + 4,
                               .block_size = block_size,
                               .max_num_batched_tokens = 1 + random.below(20),
                               .max_num_seqs = 1 + random.below(5)});
  for (std::size_t i = 0; i < 8; ++i) {
    Tokens prompt(1 + random.below(12));
    for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(2));
    scheduler.add(std::string(1, static_cast<char>('A' + i * 5 % 8)), prompt,
                  {.sampling_params = {.max_tokens = 1 + random.below(20)}});
  }
  for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
    scheduler.schedule();
    expect_input_of_step(scheduler);
    Sampled sampled;
    for (const auto& [name, scheduled_as, start, num_tokens, drafts] : scheduler.step().scheduled) {
      if (start + num_tokens == scheduler.request(name).token_ids.size())
        sampled[name] = {static_cast<TokenId>(random.below(2))};
    }
    scheduler.update(scheduler.step(), sampled);
  }
}

// A prompt of more tokens and blocks than 16 bits count, and what is left of it.
void expect_inputs_of_a_long_prompt() {
  RecordedScheduler scheduler({.num_gpu_blocks = 65'600,
                               .block_size = 1,
                               .max_num_batched_tokens = 65'541,
                               .enable_caching = false});
  scheduler.add("A", Tokens(65'545, 1));
  for (int i = 0; i < 2; ++i) {
    scheduler.schedule();
    expect_input_of_step(scheduler);
  }
}

// The slots of the second block do not fit into 31 bits.
void expect_slots_of_large_blocks() {
  constexpr SlotId kBlockSize = 1 << 30;
  RecordedScheduler scheduler({.num_gpu_blocks = 3, .block_size = kBlockSize});
  scheduler.add("A", {1});
  scheduler.add("B", {2, 3});
  scheduler.expect_step({.scheduled = {"A 0+1 new", "B 0+2 new"}});
  const std::vector<SlotId> expected = {kBlockSize, 2 * kBlockSize, 2 * kBlockSize + 1};
  expect_same("slot_mapping to be", expected, input_of(scheduler).slot_mapping);
}

// The blocks of lookahead tokens are in the table.
void expect_blocks_of_lookahead_tokens() {
  RecordedScheduler scheduler({.block_size = 1});
  scheduler.add("A", {1, 2, 3});
  scheduler.schedule();
  scheduler.update(scheduler.step(), {{"A", {4}}});
  scheduler.manager().allocate_slots(scheduler.request("A"), 1, {.num_lookahead_tokens = 3});
  scheduler.expect_step({.scheduled = {"A 3+1"}});
  expect_same("blocks of A", 7u, scheduler.table("A").size());
  expect_input_of_step(scheduler);
}

TEST(PrepareInputs, RandomSteps) {
  SPEC("each entry is what the picture says, in every step of many requests", kPrepareInputs,
       "The input of the model for a step", "in the order of output.scheduled");
  allow_steps(20'000'000);
  for (std::uint64_t i = 0; i < 40 && !HasFailure(); ++i) {
    clear_log();
    expect_inputs_of_random_steps(history_seed() + i);
  }
  expect_inputs_of_a_long_prompt();
  if (!HasFailure()) expect_blocks_of_lookahead_tokens();
  if (!HasFailure()) expect_slots_of_large_blocks();
}

}  // namespace
}  // namespace kv::grader
