#pragma once
// The traffic that a kernel causes, counted as the hardware counts it: lanes of a warp that make
// the same access together make one request, and its cost depends on which bytes they want.
//
// Which accesses belong together? In lockstep: those of one step. Otherwise: the k-th time that
// each lane comes to this place since the lanes of its warp last converged. That is the same unless
// lanes take different paths through a loop.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/runtime/memory/access.h"

namespace kv::simt {

enum class Space : std::uint8_t { kGlobal, kShared };

// One request of a warp.
struct Request {
  Space space;
  std::uint8_t bytes;                       // for each lane: 1, 2, 4, 8 or 16
  std::uint32_t lanes;                      // that take part
  std::array<std::uint32_t, 32> addresses;  // from the beginning of the space
};

inline constexpr unsigned kSectorBytes = 32;

// At most 32 values, each once.
struct DistinctValues {
  std::array<std::uint32_t, 32> values;  // the first `count` are set
  unsigned count = 0;
};
DistinctValues distinct_sectors(const Request& request);

// The least number of sectors that could hold these bytes.
unsigned ideal_sectors(const Request& request);

// The passes over shared memory that the request takes. It has 32 banks of 4 bytes; in one pass a
// bank gives one word, to all lanes that want it. Accesses of 8 bytes are made by half warps, those
// of 16 bytes by quarter warps.
unsigned wavefronts(const Request& request);
unsigned ideal_wavefronts(const Request& request);

// The request that costs the most beside the least that its bytes could cost.
struct Example {
  Request request = {};
  unsigned cost = 0, ideal = 1;

  // Why the numbers come first: a request is large, and few are worse than those before.
  bool is_better_than(unsigned other_cost, unsigned other_ideal) const {
    return std::uint64_t{cost} * other_ideal < std::uint64_t{other_cost} * ideal;
  }
};

// Sums over the requests of one place in the program.
struct Metric {
  Site site;
  Space space;
  Access kind;
  unsigned width;  // bytes for each lane
  std::uint64_t requests, lanes, bytes;
  std::uint64_t sectors, ideal_sectors;        // 32 bytes each; device memory only
  std::uint64_t wavefronts, ideal_wavefronts;  // shared memory only
  Example worst;
};

// Sums over the launches of one kernel.
struct KernelTraffic {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t bytes = 0;                       // bytes of device memory that threads requested
  std::uint64_t sectors = 0;                     // moved for them
  std::uint64_t unique_sectors = 0;              // different ones, in each launch
  std::uint64_t steps = 0, active_lanes = 0;     // lockstep: basic blocks of warps, lanes in them
  std::uint64_t blocks = 0, counted_blocks = 0;  // each counted one may stand for several
  std::vector<Step> first_steps = {};            // steps of the first block of the first launch
};

class Profile {
 public:
  void begin_launch(const std::string& kernel);
  // Decides whether the block, number `done` of so many in its launch, is counted. After many
  // accesses one in 16 is, and stands for the others.
  void begin_block(std::uint64_t done, std::uint64_t num_blocks);
  // In a block that is not counted, only the sectors that it moves: they are known of all blocks.
  void note_global(const MemoryAccess& access);
  void count_shared(const MemoryAccess& access) { count(access, Space::kShared); }
  void settle();  // adds the requests and steps so far to the sums

  const std::vector<KernelTraffic>& kernels() const { return kernels_; }
  std::vector<Metric> metrics(std::size_t kernel) const;

 private:
  // The requests of one place since the lanes of the warp last converged.
  struct Place {
    Metric metric = {};
    std::array<std::uint32_t, 32> times = {};  // how often each lane came here
    std::vector<Request> requests;
    std::size_t num_pending = 0;
  };

  void count_block(std::uint64_t weight);
  void count(const MemoryAccess& access, Space space);
  void settle_requests();
  void settle(Place& place);
  void add(Metric& metric, const Request& request);

  std::vector<KernelTraffic> kernels_;
  std::vector<std::vector<Place>> places_;  // for each kernel, by the number of the site
  std::vector<std::uint16_t> pending_;      // places with requests
  std::uint64_t convergence_ = 0;           // machine.num_convergences when they were made
  std::size_t kernel_ = 0;                  // the current one
  std::uint64_t num_accesses_ = 0;          // in counted blocks of the launch
  std::uint64_t first_sampled_ = 0;         // the block from which on one in 16 is counted; 0: none
  std::uint64_t weight_ = 1;                // how many blocks this one stands for
};

extern Profile profile;

}  // namespace kv::simt
