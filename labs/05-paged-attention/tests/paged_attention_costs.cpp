// Prints what a few tokens cost with 100, 10,000 and 1,000,000 blocks.

#include "05-paged-attention/tests/paged_attention_costs.h"

int main() {
  using namespace kv::grader;
  print_costs({kSlotsCost, kWriteCost, kAttendCost, kStreamCost});
}
