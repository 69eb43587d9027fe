// Prints what each call costs with 100, 10,000 and 1,000,000 requests, tokens or blocks.

#include "07-serving/tests/scheduler_costs.h"

#include "07-serving/tests/fork_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kAddingCost,     kEachPromptTokenCost, kEachWaitingCost,   kAbortingCost,
               kPreemptingCost, kEachVictimBlockCost, kStoppingCost,      kEachStopTokenCost,
               kEachUpdateCost, kUpdateBesideCost,    kEndingCost,        kEndingBeforeCost,
               kEachRowCost,    kEachStepRequestCost, kRowBesideCost,     kRowAfterCost,
               kInsertingCost,  kEachLookedUpCost,    kForkingCost,       kEachForkedTokenCost,
               kCopyingCost,    kCopyingBeforeCost,   kEachCopiedSlotCost});
}
