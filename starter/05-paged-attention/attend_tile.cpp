#include <algorithm>
#include <cmath>
#include <limits>

#include "05-paged-attention/given/tile_rows.h"
#include "05-paged-attention/tiled_attention.h"
#include "kv/todo.h"

namespace kv {
namespace {

// Raises the maximum of a state to `max`, if that is larger, and rescales its sum and out.
void raise_max(AttentionState<float>& state, float max) {
  if (max <= state.max) return;

  const float keep = std::exp(state.max - max);
  state.max = max;
  state.sum *= keep;
  for (float& number : state.out) number *= keep;
}

}  // namespace

template <class Stored>
void attend_tile(const Stored* tile,
                 const Stored* next_tile,
                 const float* query,
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kHeadsAtOnce> states) {
  KV_TODO("5.12 attend_tile");
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(attend_tile<float>) attend_tile<float>;
template decltype(attend_tile<BFloat16>) attend_tile<BFloat16>;

}  // namespace kv
