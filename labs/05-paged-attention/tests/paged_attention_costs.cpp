// Prints what a few tokens cost with 100, 10,000 and 1,000,000 blocks, and each of that many
// tokens.

#include "05-paged-attention/tests/paged_attention_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kSlotsCost, kEachSlotCost, kWriteCost, kEachWriteCost, kEachScoreCost, kAttendCost,
               kAttendEachCost, kStreamCost, kStreamEachCost});
}
