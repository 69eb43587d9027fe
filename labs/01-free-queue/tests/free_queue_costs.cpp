// Prints what each call costs with 100, 10,000 and 1,000,000 blocks.

#include "01-free-queue/tests/free_queue_costs.h"

int main() {
  using namespace kv;
  using namespace kv::grader;
  print_costs({kCountCost<FreeKVCacheBlockQueue>, kRemoveCost<FreeKVCacheBlockQueue>,
               kPopleftCost<FreeKVCacheBlockQueue>, kAppendCost<FreeKVCacheBlockQueue>,
               kPopleftNCost, kEachPopleftNCost, kAppendNCost, kEachAppendNCost, kPrependNCost,
               kEachPrependNCost});
}
