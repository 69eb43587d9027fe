#pragma once
// Guesses: a text often repeats itself, so what came after the same tokens before is a draft of
// what comes next. The model computes drafts together with the last known token, in one pass over
// its weights. Those that it would have sampled itself are right, and all of them come out of one
// step.
//
//       known     5 8 6 5 8        before, 6 5 came after 5 8: these are the drafts
//       rows              8 6 5    of the step: the last known token, then the drafts
//       sampled           6 7 1    6 is right. 7 is not the draft 5, but it is what comes after 6;
//                                  the 1 comes after a 5 that is not there, and is not sampled
//       tokens            6 7      two in one step, and the same ones as without drafts

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv {

// vLLM: SpeculativeConfig in vllm/config/speculative.py, with the method "ngram"
struct SpeculativeConfig {
  std::size_t num_speculative_tokens = 0;  // most drafts of a request in a step; 0: no drafts
  std::size_t prompt_lookup_min = 2;       // tokens that have to repeat
  std::size_t prompt_lookup_max = 4;       // more than these are not compared
};

// 7.14 (extra)  Drafts of the tokens after token_ids. Of its last tokens, takes as many as occur
// somewhere before, at least prompt_lookup_min and at most prompt_lookup_max, and of several such
// places the first. Gives the tokens after that place, at most num_speculative_tokens; none if
// there is no such place. The place may overlap the last tokens.
// Misuse: a prompt_lookup_min of 0, or one that exceeds prompt_lookup_max, is refused.
// O(token_ids * n^2); n is prompt_lookup_max, or the number of tokens if that is less.
// vLLM: NgramProposer in vllm/v1/spec_decode (0.33: the last place)
std::vector<TokenId> propose(std::span<const TokenId> token_ids, const SpeculativeConfig& config);

// 7.15 (extra)  The tokens that a step gives a request: sample(0) is the token after the known
// ones, and sample(i) the one after draft i - 1. Each is sampled only if all drafts before it are
// right, in this order and once. O(drafts).
//                                           vLLM: RejectionSampler in vllm/v1/sample
std::vector<TokenId> accept_drafts(std::span<const TokenId> drafts,
                                   const std::function<TokenId(std::size_t)>& sample);

}  // namespace kv
