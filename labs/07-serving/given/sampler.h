#pragma once
// From the logits of the next token to the token.

#include <cstdint>
#include <span>

#include "07-serving/given/served_request.h"

namespace kv {

// The token with the largest logit if temperature is 0, of several the first. Else a token drawn
// with the probabilities softmax(logits / temperature), from the most likely ones that together
// have top_p. The random number depends on the seed, the id of the request and the position of the
// token in it, and on nothing else: computed once more, it is the same token.
//
// vLLM: Sampler in vllm/v1/sample/sampler.py
TokenId sample_token(std::span<const float> logits,
                     const ServedRequest& request,
                     std::size_t position);

// A hash of the logits for the token of a request at a position: where bits are compared.
std::uint64_t hash_of_logits(std::span<const float> logits,
                             const ServedRequest& request,
                             std::size_t position);

}  // namespace kv
