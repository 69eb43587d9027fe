// The token that is drawn, beside a sampler that sorts all tokens.

#include "07-serving/given/sampler.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "grader/harness/expectations.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

// The tokens, most likely first, until they have top_p; then the one at which their weights, added
// up, pass the random part of all these.
TokenId token_at(std::span<const float> logits, const SamplingParams& params, double part) {
  std::vector<std::pair<double, std::ptrdiff_t>> tokens;  // weight, and the token, negative
  const double largest = *std::ranges::max_element(logits);
  for (std::size_t i = 0; i < logits.size(); ++i)
    tokens.emplace_back(std::exp((static_cast<double>(logits[i]) - largest) / params.temperature),
                        -static_cast<std::ptrdiff_t>(i));
  std::ranges::sort(tokens, std::greater());
  double all = 0, likely = 0;
  for (const auto& [weight, token] : tokens) all += weight;
  std::size_t num_likely = 0;
  while (num_likely < tokens.size() && (num_likely == 0 || likely < params.top_p * all))
    likely += tokens[num_likely++].first;
  double left = part * likely;
  std::size_t i = 0;
  while (i + 1 < num_likely && (left -= tokens[i].first) >= 0) ++i;
  return static_cast<TokenId>(-tokens[i].second);
}

// The random number of a request at a position, in [0, 1).
double part_drawn(const ServedRequest& request, std::uint64_t position) {
  const std::string& id = request.request_id;
  const std::uint64_t of_request = XXH64(id.data(), id.size(), request.sampling_params.seed);
  return std::ldexp(static_cast<double>(XXH64(&position, sizeof(position), of_request) >> 11), -53);
}

// Few values or many, so that tokens are as likely as others.
std::vector<float> random_logits(Random& random, std::size_t num_tokens) {
  std::vector<float> logits(num_tokens);
  const std::size_t num_values = 1 + random.below(1'000);
  for (float& logit : logits) logit = 0.02f * static_cast<float>(random.below(num_values));
  return logits;
}

TEST(Sampler, DrawsTheTokenOfTheSortedWeights) {
  ServedRequest request{{.request_id = "A", .block_size = 1, .token_ids = {}}};
  SamplingParams& params = request.sampling_params;
  for (std::uint64_t seed = 0; seed < 4'000 && !HasFailure(); ++seed) {
    Random random(seed);
    params.seed = seed;
    params.temperature = 0.05 * static_cast<double>(1 + random.below(60));
    params.top_p = std::array{1.0, 0.95, 0.5, 1e-300}.at(random.below(4));
    const auto logits = random_logits(random, std::array{1u, 2u, 50u, 2'048u}.at(random.below(4)));
    const std::size_t position = random.below(500);
    EXPECT_SAME(sample_token(logits, request, position),
                token_at(logits, params, part_drawn(request, position)))
        << "seed " << seed << ", top_p " << params.top_p;
  }
}

}  // namespace
}  // namespace kv::grader
