// Prints what each call costs with 100, 10,000 and 1,000,000 blocks.

#include "02-block-pool/tests/block_pool_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kCountCost, kUsageCost, kClaimCost, kEachClaimCost, kTouchCost, kEachTouchCost,
               kFreeCost, kEachFreeCost});
}
