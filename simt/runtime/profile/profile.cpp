#include "simt/runtime/profile/profile.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "simt/runtime/core/map_memory.h"
#include "simt/runtime/core/warp_calls.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {
namespace {

// Without lockstep a lane may run far ahead of the others. After this many requests they are
// settled before the other lanes have joined them.
constexpr std::size_t kMaxPending = 1 << 16;

// After so many accesses of one launch, one block in kSample is counted.
constexpr std::uint64_t kCountedAccesses = 1 << 22, kSample = 16;

// A bit for each sector of device memory that has moved in this launch.
std::uint64_t* moved_sectors() {
  static auto* const bits =
      reinterpret_cast<std::uint64_t*>(map_memory(arena.bytes() / kSectorBytes / 8));
  return bits;
}

bool is_first_move(std::uint32_t sector) {
  std::uint64_t& bits = moved_sectors()[sector / 64];
  const std::uint64_t bit = std::uint64_t{1} << sector % 64;
  const bool is_first = (bits & bit) == 0;
  bits |= bit;
  return is_first;
}

std::uint32_t place_in(Space space, std::uintptr_t address) {
  return static_cast<std::uint32_t>(space == Space::kGlobal ? arena.offset(address)
                                                            : shared_memory.offset(address));
}

}  // namespace

Profile profile;

void Profile::begin_launch(const std::string& kernel) {
  forget(moved_sectors(), arena.bytes() / kSectorBytes / 8);
  const auto known =
      std::find_if(kernels_.begin(), kernels_.end(),
                   [&](const KernelTraffic& traffic) { return traffic.kernel == kernel; });
  kernel_ = static_cast<std::size_t>(known - kernels_.begin());
  if (known == kernels_.end()) {
    kernels_.push_back({.kernel = kernel});
    places_.emplace_back();
  }
  ++kernels_[kernel_].launches;
  num_accesses_ = first_sampled_ = 0;
  count_block(1);
}

// weight: how many blocks this one stands for; 0: another one stands for it.
void Profile::count_block(std::uint64_t weight) {
  settle();
  weight_ = weight;
  machine.is_counting = machine.options.has_profile && weight > 0;
  machine.is_lockstep = machine.options.is_lockstep && weight > 0;
}

void Profile::begin_block(std::uint64_t done, std::uint64_t num_blocks) {
  const bool is_enough = machine.options.has_sample && num_accesses_ >= kCountedAccesses;
  if (first_sampled_ == 0 && is_enough) first_sampled_ = done;
  const bool is_sampled = first_sampled_ != 0;
  const bool is_counted = !is_sampled || (done - first_sampled_) % kSample == 0;
  const std::uint64_t weight = is_sampled ? std::min(kSample, num_blocks - done) : 1;
  count_block(is_counted ? weight : 0);
  ++kernels_[kernel_].blocks;
  kernels_[kernel_].counted_blocks += is_counted;
}

void Profile::note_global(const MemoryAccess& access) {
  if (machine.is_counting) return count(access, Space::kGlobal);
  const auto first = place_in(Space::kGlobal, access.address) / kSectorBytes;
  kernels_[kernel_].unique_sectors += is_first_move(first);
}

void Profile::count(const MemoryAccess& access, Space space) {
  if (convergence_ != machine.num_convergences) settle_requests();
  ++num_accesses_;
  std::vector<Place>& places = places_[kernel_];
  if (access.site_number >= places.size()) places.resize(sites.size());
  Place& place = places[access.site_number];
  if (place.num_pending == 0) pending_.push_back(access.site_number);
  const unsigned lane = self().lane;
  if (place.times[lane] == kMaxPending) settle(place);
  const std::uint32_t time = place.times[lane]++;
  if (time >= place.requests.size()) place.requests.emplace_back();
  Request& request = place.requests[time];
  if (time >= place.num_pending) {
    place.num_pending = time + 1;
    request.lanes = 0;
    request.space = space;
    request.bytes = static_cast<std::uint8_t>(access.bytes);
    place.metric.kind = access.kind;
    place.metric.site = access.site;
  }
  request.lanes |= 1u << lane;
  request.addresses[lane] = place_in(space, access.address);
}

void Profile::settle() {
  if (kernels_.empty()) return;
  settle_requests();
  kernels_[kernel_].steps += weight_ * std::exchange(machine.num_steps, 0);
  kernels_[kernel_].active_lanes += weight_ * std::exchange(machine.num_active_lanes, 0);
  const std::vector<Step> steps = std::exchange(machine.first_steps, {});
  if (kernels_[kernel_].first_steps.empty()) kernels_[kernel_].first_steps = steps;
}

void Profile::settle_requests() {
  for (const std::uint16_t site : pending_) settle(places_[kernel_][site]);
  pending_.clear();
  convergence_ = machine.num_convergences;
}

void Profile::settle(Place& place) {
  for (std::size_t i = 0; i < place.num_pending; ++i) add(place.metric, place.requests[i]);
  place.num_pending = 0;
  place.times = {};
}

void Profile::add(Metric& metric, const Request& request) {
  const auto num_lanes = static_cast<unsigned>(std::popcount(request.lanes));
  metric.space = request.space;
  metric.width = request.bytes;
  metric.requests += weight_;
  metric.lanes += weight_ * num_lanes;
  metric.bytes += weight_ * num_lanes * request.bytes;
  if (request.space == Space::kShared) {
    const unsigned cost = wavefronts(request), ideal = ideal_wavefronts(request);
    metric.wavefronts += weight_ * cost;
    metric.ideal_wavefronts += weight_ * ideal;
    if (metric.worst.is_better_than(cost, ideal)) metric.worst = {request, cost, ideal};
    return;
  }
  const DistinctValues sectors = distinct_sectors(request);
  const unsigned ideal = ideal_sectors(request);
  metric.sectors += weight_ * sectors.count;
  metric.ideal_sectors += weight_ * ideal;
  if (metric.worst.is_better_than(sectors.count, ideal))
    metric.worst = {request, sectors.count, ideal};
  KernelTraffic& traffic = kernels_[kernel_];
  traffic.bytes += weight_ * num_lanes * request.bytes;
  traffic.sectors += weight_ * sectors.count;
  for (unsigned i = 0; i < sectors.count; ++i) {
    traffic.unique_sectors += is_first_move(sectors.values[i]);
  }
}

std::vector<Metric> Profile::metrics(std::size_t kernel) const {
  std::vector<Metric> metrics;
  for (const Place& place : places_[kernel]) {
    if (place.metric.requests > 0) metrics.push_back(place.metric);
  }
  return metrics;
}

namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

// Why the first comparison: addresses mostly rise from lane to lane, and then no search is needed.
void insert(DistinctValues& set, std::uint32_t value) {
  const auto end = set.values.begin() + set.count;
  const bool is_last = set.count > 0 && value == end[-1];
  const bool is_known = is_last || (set.count > 0 && value < end[-1] &&
                                    std::find(set.values.begin(), end, value) != end);
  if (!is_known) set.values[set.count++] = value;
}

unsigned lanes_at_a_time(const Request& request) {
  return request.bytes <= kBankBytes ? 32 : 32 * kBankBytes / request.bytes;
}

std::uint32_t lanes_of_phase(const Request& request, unsigned first) {
  const unsigned n = lanes_at_a_time(request);
  return request.lanes & (n == 32 ? ~0u : ((1u << n) - 1) << first);
}

// The most words in one bank, of those that these lanes want.
unsigned busiest_bank(const Request& request, std::uint32_t lanes) {
  std::array<DistinctValues, kBanks> banks;
  unsigned most = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t first = request.addresses[lane] / kBankBytes;
    const std::uint32_t last = (request.addresses[lane] + request.bytes - 1u) / kBankBytes;
    for (std::uint32_t word = first; word <= last; ++word) {
      DistinctValues& bank = banks[word % kBanks];
      insert(bank, word);
      most = std::max(most, bank.count);
    }
  });
  return most;
}

}  // namespace

DistinctValues distinct_sectors(const Request& request) {
  DistinctValues sectors;
  for_each_lane(request.lanes,
                [&](unsigned lane) { insert(sectors, request.addresses[lane] / kSectorBytes); });
  return sectors;
}

unsigned ideal_sectors(const Request& request) {
  DistinctValues addresses;
  for_each_lane(request.lanes, [&](unsigned lane) { insert(addresses, request.addresses[lane]); });
  return (addresses.count * request.bytes + kSectorBytes - 1) / kSectorBytes;
}

unsigned wavefronts(const Request& request) {
  unsigned sum = 0;
  for (unsigned first = 0; first < 32; first += lanes_at_a_time(request)) {
    sum += busiest_bank(request, lanes_of_phase(request, first));
  }
  return sum;
}

unsigned ideal_wavefronts(const Request& request) {
  unsigned phases = 0;
  for (unsigned first = 0; first < 32; first += lanes_at_a_time(request)) {
    phases += lanes_of_phase(request, first) != 0;
  }
  return phases;
}

}  // namespace kv::simt
