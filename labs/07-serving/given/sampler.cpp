#include "07-serving/given/sampler.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace kv {
namespace {

// In [0, 1), of 53 bits.
double random_number(const ServedRequest& request) {
  const std::string& id = request.request_id;
  const std::uint64_t of_request = XXH64(id.data(), id.size(), request.sampling_params.seed);
  const std::uint64_t position = request.token_ids.size();
  const std::uint64_t bits = XXH64(&position, sizeof(position), of_request);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

TokenId sample_token(std::span<const float> logits, const ServedRequest& request) {
  const auto best = std::ranges::max_element(logits);
  const SamplingParams& params = request.sampling_params;
  if (params.temperature == 0) return static_cast<TokenId>(best - logits.begin());

  std::vector<double> weights;
  for (const float logit : logits)
    weights.push_back(std::exp((static_cast<double>(logit) - *best) / params.temperature));
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return weights[i]; });

  // The first tokens of the order that together have top_p of the weight.
  const double enough = params.top_p * std::accumulate(weights.begin(), weights.end(), 0.0);
  double kept = 0;
  std::size_t num_kept = 0;
  while (num_kept < order.size() && (num_kept == 0 || kept < enough))
    kept += weights[order[num_kept++]];

  double left = random_number(request) * kept;
  for (std::size_t i = 0; i + 1 < num_kept; ++i) {
    left -= weights[order[i]];
    if (left < 0) return static_cast<TokenId>(order[i]);
  }
  return static_cast<TokenId>(order[num_kept - 1]);
}

}  // namespace kv
