#include "simt/runtime/profile/request.h"

#include <algorithm>

#include "simt/runtime/core/warp_calls.h"

namespace kv::simt {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kWordBytes = 4;

// Why the first comparison: addresses mostly rise from lane to lane, and then no search is needed.
void insert(DistinctValues& set, std::uint32_t value) {
  const auto end = set.values.begin() + set.count;
  const bool is_known =
      set.count > 0 && value <= end[-1] && std::find(set.values.begin(), end, value) != end;
  if (!is_known) set.values[set.count++] = value;
}

unsigned lanes_at_a_time(const Request& request) {
  return request.bytes <= kWordBytes ? 32 : 32 * kWordBytes / request.bytes;
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
    const std::uint32_t first = request.addresses[lane] / kWordBytes;
    const std::uint32_t last = (request.addresses[lane] + request.bytes - 1u) / kWordBytes;
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
