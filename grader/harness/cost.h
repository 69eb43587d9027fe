#pragma once
// What a call costs, and whether that grows with something that it must not grow with. Counted, not
// timed: the counts are the same on every machine and under every load.

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/harness/counters.h"

namespace kv::grader {

using Cost = Counts;

template <class Call>
Cost cost_of(Call call) {
  const Counts before = counts_so_far();
  call();
  const Counts after = counts_so_far();
  return {after.num_steps - before.num_steps, after.num_allocations - before.num_allocations,
          after.num_bytes_moved - before.num_bytes_moved};
}

Cost worst_of(std::initializer_list<Cost> costs);
// The smaller number of each kind, of a call made twice: now and then a table has to grow, which is
// not the price of a call.
Cost cheaper_of(const Cost& first, const Cost& second);

// In which order items come. Why several: in a sorted list, each is cheap in one of them.
enum class Order { kAscending, kDescending, kFromBothEnds };

// The i-th of num items in this order, from 0.
constexpr std::size_t place_of(std::size_t i, std::size_t num, Order order) {
  const std::size_t from_end = num - 1 - (order == Order::kDescending ? i : i / 2);
  if (order == Order::kAscending) return i;
  return order == Order::kFromBothEnds && i % 2 == 0 ? i / 2 : from_end;
}

template <class CostIn>
Cost worst_order(CostIn cost_in) {
  return worst_of(
      {cost_in(Order::kAscending), cost_in(Order::kDescending), cost_in(Order::kFromBothEnds)});
}

// The cost of each item. Allocations are not divided: a batch may ask for memory, but not for each
// item.
Cost share(Cost cost, std::size_t num_items);
// The same where a contract lets each item ask for memory.
Cost share_with_allocations(Cost cost, std::size_t num_items);

enum class Memory { kNone, kMayBeAskedFor };

// A call, and something of which there are few or many.
struct CostProbe {
  std::string call;                           // "remove()"
  std::string what;                           // "free blocks"
  std::function<Cost(std::size_t num)> cost;  // what the call costs with `num` of them
  Memory memory = Memory::kNone;
  std::size_t many = 100'000;  // compared with 100
};

// How a complaint about growth ends.
inline constexpr std::string_view kMustNotGrow = "; it must not depend on how many there are";

// "remove() ran 100,023 basic blocks with 100,000 free blocks and 123 with 100; it must not depend
// on how many there are". nullopt: the call costs as much with many as with few.
std::optional<std::string> complaint(const CostProbe& probe);

// A complaint is a failure of the test.
void expect_cost(const CostProbe& probe);

// "4 basic blocks, 0 bytes, 0 allocations"
std::string draw(const Cost& cost);

// Prints the costs with 100, 10,000 and 1,000,000.
void print_costs(const std::vector<CostProbe>& probes);

}  // namespace kv::grader
