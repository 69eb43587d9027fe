#pragma once
// Any number is a hash: requests whose blocks have the least and the greatest one.

#include <vector>

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {

// The hashes of three blocks, with the least and the greatest one in any place.
inline std::vector<std::vector<BlockHash>> any_hashes() {
  constexpr BlockHash kLeast = 0, kGreatest = ~BlockHash{0};
  return {{kLeast, kGreatest, 1}, {kGreatest, 1, kLeast}, {1, kLeast, kGreatest}};
}

// compute of A with [1 2 | 3 4 | 5 6], whose blocks have these hashes.
inline void compute_with(RecordedEngine& engine, const std::vector<BlockHash>& hashes) {
  engine.admit("A", {1, 2, 3, 4, 5, 6});
  engine.raw().request("A").block_hashes = hashes;
  log_step("the hashes of A are " + draw(hashes));
  engine.take("A", 3);
  engine.seal("A");
}

}  // namespace kv::grader
