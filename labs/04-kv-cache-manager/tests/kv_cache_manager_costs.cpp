// Prints what each call costs with 100, 10,000 and 1,000,000 blocks.

#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kOneAppendCost, kEachAppendCost, kSlotCost, kFewSlotsCost, kEachSlotCost,
               kFindingCost, kFindingNothingCost, kEachFoundCost, kAskingCost, kEachHitAskedCost,
               kDecodingCost, kEachAllocatedCost, kFreeingBesideCost, kEachFreedCost,
               kNothingInCommonCost, kEachInCommonCost, kEachForkedCost, kEachUnsharedCost,
               kEachAcceptedCost});
}
