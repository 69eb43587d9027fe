// What the rules of today may cost: counted, never timed.

#include <gtest/gtest.h>

#include "07-serving/scheduling_rules.h"
#include "07-serving/tests/scheduler_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

// num_running requests of one token run, in a pool of as many blocks more.
Cost cost_of_leaving_free(std::size_t num_running, bool reserve_prefills) {
  CostlyScheduler made(2 * num_running);
  made.add_many(num_running);
  made.scheduler.schedule();
  SchedulerConfig config = made.scheduler.config();
  config.watermark = 0.1;
  config.reserve_prefills = reserve_prefills;
  return cost_of([&] { num_blocks_left_free(config, made.manager, made.scheduler.running()); });
}
Cost cost_of_a_watermark(std::size_t num_running) {
  return cost_of_leaving_free(num_running, false);
}
Cost cost_of_each_reserve(std::size_t num_running) {
  return share(cost_of_leaving_free(num_running, true), num_running);
}
Cost cost_of_a_threshold(std::size_t num_requests) {
  const SchedulerConfig config = CostlyScheduler(1).scheduler.config();
  return cost_of([&] { threshold_among(config, num_requests); });
}

const CostProbe kWatermarkCost{"num_blocks_left_free(), without reserves,", "requests that run",
                               cost_of_a_watermark};
const CostProbe kEachReserveCost{"num_blocks_left_free(), for each request,", "requests that run",
                                 cost_of_each_reserve, Memory::kNone, 2'000};
const CostProbe kThresholdCost{"threshold_among()", "requests", cost_of_a_threshold};

TEST(SchedulerCost, OfTodaysRules) {
  SPEC("a watermark costs the same however many run, and a reserve a fixed amount for each",
       "7.21 num_blocks_left_free", "O(1),", "O(running) with reserve_prefills",
       "allocates nothing", "7.19 O(1)");
  expect_cost(kThresholdCost);
  expect_cost(kWatermarkCost);
  expect_cost(kEachReserveCost);
}

}  // namespace
}  // namespace kv::grader
