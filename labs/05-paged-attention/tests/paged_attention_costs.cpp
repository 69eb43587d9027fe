// Prints what a call costs with 100, 10,000 and 1,000,000 of each size.

#include "05-paged-attention/tests/paged_attention_costs.h"

int main() {
  using namespace kv;
  using namespace kv::grader;
  print_costs(slot_mapping_probes());
  print_costs(write_kv_probes());
  print_costs({kEachScoreCost});
  print_costs(attention_probes("paged_attention()", paged_attention<double>));
  print_costs(attend_block_probes());
  print_costs(attention_probes("paged_attention_streaming()", paged_attention_streaming<double>));
}
