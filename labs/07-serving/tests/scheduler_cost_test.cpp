// What a call may cost: counted, never timed.

#include <gtest/gtest.h>

#include "07-serving/tests/scheduler_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(SchedulerCost, OfAdding) {
  SPEC("add_request has a fixed cost for each token of the prompt, however many requests wait",
       "7.1 add_request", "O(prompt)");
  expect_cost(kAddingCost);
  expect_cost(kEachPromptTokenCost);
}

TEST(SchedulerCost, OfAborting) {
  SPEC("finish_requests looks at each request a fixed number of times, and at its own blocks only",
       "7.4 schedule_waiting", "7.2 O(its blocks + running, and waiting if it waits)");
  expect_cost(kEachWaitingCost);
  expect_cost(kAbortingCost);
}

TEST(SchedulerCost, OfPreempting) {
  SPEC("a preemption has a fixed cost for each block of the victim, however many requests wait",
       "7.6 preempt_request", "as 4.7");
  expect_cost(kPreemptingCost);
  expect_cost(kEachVictimBlockCost);
}

TEST(SchedulerCost, OfStopRules) {
  SPEC("check_stop looks at stop_token_ids, and not at the tokens before the last one",
       "7.7 check_stop", "O(stop_token_ids)");
  expect_cost(kStoppingCost);
  expect_cost(kEachStopTokenCost);
}

TEST(SchedulerCost, OfTokens) {
  SPEC("update_from_output has a fixed cost for each scheduled request, however many wait",
       "7.8 update_from_output", "O(scheduled)", "for each that ends, as 7.2");
  expect_cost(kEachUpdateCost);
  expect_cost(kUpdateBesideCost);
  expect_cost(kEndingCost);
  expect_cost(kEndingBeforeCost);
}

TEST(SchedulerCost, OfInputs) {
  SPEC(
      "prepare_inputs has a fixed cost for each row and each entry of a table, and looks at "
      "nothing "
      "else",
      "7.9 prepare_inputs", "O(tokens of the step + num_reqs * max_num_blocks)");
  expect_cost(kEachRowCost);
  expect_cost(kEachStepRequestCost);
  expect_cost(kRowBesideCost);
  expect_cost(kRowAfterCost);
}

TEST(SchedulerCost, OfInserting) {
  SPEC("a place among many requests is found by few comparisons", "7.12 insert_by_priority",
       "O(log(requests)) comparisons");
  expect_cost(kInsertingCost);
}

TEST(SchedulerCost, OfDrafts) {
  SPEC("propose compares at most prompt_lookup_max tokens at each place of the text",
       "7.14 propose", "O(token_ids * n^2); n is prompt_lookup_max");
  expect_cost(kEachLookedUpCost);
}

}  // namespace
}  // namespace kv::grader
