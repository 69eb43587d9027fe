#pragma once
// What a server says of a token beside the token: how likely it was, and which others were.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "07-serving/given/served_request.h"

namespace kv {

// vLLM: Logprob in vllm/logprobs.py
struct Logprob {
  TokenId token_id;
  double logprob;  // the natural logarithm of softmax(logits)[token_id]
};

struct SampledToken {
  Logprob chosen;
  std::vector<Logprob> top;       // the most likely ones, of equal ones the first
  std::size_t num_cached_tokens;  // prompt tokens of its request that were found in the cache
};

inline std::vector<Logprob> most_likely(std::span<const float> logits,
                                        double log_of_sum,
                                        std::size_t num_top) {
  std::vector<std::size_t> tokens(logits.size());
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(std::min(num_top, tokens.size()));
  std::ranges::partial_sort(tokens, end, [&](std::size_t a, std::size_t b) {
    return logits[a] == logits[b] ? a < b : logits[a] > logits[b];
  });

  std::vector<Logprob> top;
  for (auto token = tokens.begin(); token != end; ++token)
    top.push_back({static_cast<TokenId>(*token), logits[*token] - log_of_sum});
  return top;
}

// Requires: the request has num_logprobs.
inline SampledToken sampled_token(std::span<const float> logits,
                                  TokenId token_id,
                                  const ServedRequest& request) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - largest);
  const double log_of_sum = largest + std::log(sum);

  const std::size_t num_top = *request.sampling_params.num_logprobs;
  return {.chosen = {token_id, logits[static_cast<std::size_t>(token_id)] - log_of_sum},
          .top = num_top == 0 ? std::vector<Logprob>() : most_likely(logits, log_of_sum, num_top),
          .num_cached_tokens = request.num_cached_tokens};
}

}  // namespace kv
