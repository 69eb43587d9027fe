// Prints what each call costs with 100, 10,000 and 1,000,000 blocks.

#include "03-block-hashing/tests/prefix_cache_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kHashingCost, kDuplicateCost, kCachingCost, kCachingOnCost, kGetCachedBlockCost,
               kHitCost, kEachHitCost, kMissCost, kHitAheadCost, kEachHitAheadCost, kEvictingCost});
}
