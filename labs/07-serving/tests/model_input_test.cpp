// Step 7.9: the rows of a step, and where the keys and values of each are.

#include "07-serving/model_input.h"

#include <gtest/gtest.h>

#include <vector>

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kPrepareInputs = "7.9 prepare_inputs";

ModelInput input_of(RecordedScheduler& scheduler) {
  log_step({"prepare_inputs(output)", "prepare_inputs(the last step)"});
  return prepare_inputs(scheduler.step(), scheduler.raw(), scheduler.manager());
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

TEST(PrepareInputs, TheWholePrompt) {
  SPEC("a prompt in one step has a row for each token, and its table all its blocks",
       kPrepareInputs, "The input of the model for a step");
  RecordedScheduler scheduler({.block_size = 4});
  scheduler.add("A", {3, 1, 4, 1, 5, 9, 2, 6, 5});
  scheduler.schedule();
  const ModelInput input = input_of(scheduler);
  expect_same("input_ids to be", Tokens{3, 1, 4, 1, 5, 9, 2, 6, 5}, input.input_ids);
  expect_same("slot_mapping to be", std::vector<SlotId>{4, 5, 6, 7, 8, 9, 10, 11, 12},
              input.slot_mapping);
  expect_same("the table to be", std::vector<BlockId>{1, 2, 3}, input.block_tables);
}

TEST(PrepareInputs, RequestsThatDoNotCompute) {
  SPEC("a running request that the step has no room for has no rows", kPrepareInputs,
       "in the order of output.scheduled");
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
}

}  // namespace
}  // namespace kv::grader
