#include "grader/harness/cost.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kv::grader {
namespace {

// Counts are exactly the same in every run; the limits leave room for a few more branches and for a
// logarithm. The fallback, a clock, varies, so it is read more often and gets wider limits.
#ifdef KV_COUNTS_BASIC_BLOCKS
constexpr const char* kSteps = "basic blocks";
constexpr const char* kRan = " ran ";
constexpr std::uint64_t kTimesAsMany = 4;
constexpr std::uint64_t kAndSome = 16;
constexpr int kNumMeasured = 1;
#else
constexpr const char* kSteps = "nanoseconds (this compiler cannot count basic blocks)";
constexpr const char* kRan = " took ";
constexpr std::uint64_t kTimesAsMany = 30;
constexpr std::uint64_t kAndSome = 2000;
constexpr int kNumMeasured = 9;
#endif

constexpr std::size_t kFew = 100;

// Looked at before there are many: what makes many by a call that walks would not come to its end.
// Why two: a container may grow in the measured call at one of them.
constexpr std::array<std::size_t, 2> kSome = {1'000, 1'500};

struct Kind {
  const char* verb;
  const char* unit;
  std::uint64_t Cost::*num;
};
constexpr std::array kKinds = {Kind{kRan, kSteps, &Cost::num_steps},
                               Kind{" moved ", "bytes", &Cost::num_bytes_moved},
                               Kind{" made ", "allocations", &Cost::num_allocations}};

// 100,023
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, ",");
  return text;
}

Cost cheapest(const CostProbe& probe, std::size_t num) {
  Cost cost = probe.cost(num);
  for (int i = 1; i < kNumMeasured; ++i) {
    cost.num_steps = std::min(cost.num_steps, probe.cost(num).num_steps);
  }
  return cost;
}

std::optional<std::string> allocation(const CostProbe& probe, const Cost& cost) {
  if (probe.memory == Memory::kMayBeAskedFor || cost.num_allocations == 0) return std::nullopt;
  return probe.call + " asked for memory (" + grouped(cost.num_allocations) +
         (cost.num_allocations == 1 ? " allocation" : " allocations") + "); it must not allocate";
}

// Why the call costs too much with `num` of them; nullopt: it does not.
std::optional<std::string> growth(const CostProbe& probe,
                                  const Cost& with_few,
                                  std::size_t num,
                                  const Cost& with_num) {
  for (const Kind& kind : kKinds) {
    const std::uint64_t few = with_few.*kind.num;
    const std::uint64_t many = with_num.*kind.num;
    if (many <= kTimesAsMany * few + kAndSome) continue;
    return probe.call + kind.verb + grouped(many) + " " + kind.unit + " with " + grouped(num) +
           " " + probe.what + " and " + grouped(few) + " with " + grouped(kFew) +
           std::string(kMustNotGrow);
  }
  return std::nullopt;
}

std::optional<std::string> growth_with_some(const CostProbe& probe, const Cost& with_few) {
  std::optional<std::string> why;
  if (probe.many <= kSome.back()) return why;
  for (const std::size_t some : kSome) {
    why = growth(probe, with_few, some, cheapest(probe, some));
    if (!why) return why;
  }
  return why;
}

}  // namespace

Cost worst_of(std::initializer_list<Cost> costs) {
  Cost worst;
  for (const Cost& cost : costs) {
    for (const Kind& kind : kKinds) worst.*kind.num = std::max(worst.*kind.num, cost.*kind.num);
  }
  return worst;
}

Cost cheaper_of(const Cost& first, const Cost& second) {
  Cost cheaper;
  for (const Kind& kind : kKinds) cheaper.*kind.num = std::min(first.*kind.num, second.*kind.num);
  return cheaper;
}

Cost share(Cost cost, std::size_t num_items) {
  return {cost.num_steps / num_items, cost.num_allocations, cost.num_bytes_moved / num_items};
}

Cost share_with_allocations(Cost cost, std::size_t num_items) {
  cost.num_allocations /= num_items;
  return share(cost, num_items);
}

std::optional<std::string> complaint(const CostProbe& probe) {
  const Cost with_few = cheapest(probe, kFew);
  if (const auto why = allocation(probe, with_few)) return why;
  if (const auto why = growth_with_some(probe, with_few)) return why;
  const Cost with_many = cheapest(probe, probe.many);
  if (const auto why = allocation(probe, with_many)) return why;
  return growth(probe, with_few, probe.many, with_many);
}

std::string draw(const Cost& cost) {
  std::string text;
  for (const Kind& kind : kKinds) {
    text += (text.empty() ? "" : ", ") + grouped(cost.*kind.num) + " " + kind.unit;
  }
  return text;
}

void print_costs(const std::vector<CostProbe>& probes) {
  for (const CostProbe& probe : probes) {
    for (const std::size_t num : {std::size_t{100}, std::size_t{10'000}, std::size_t{1'000'000}}) {
      std::printf("%-32s %9s %-18s %s\n", probe.call.c_str(), grouped(num).c_str(),
                  probe.what.c_str(), draw(cheapest(probe, num)).c_str());
    }
  }
}

}  // namespace kv::grader
