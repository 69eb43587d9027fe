#include "grader/program/course/similar/similar_pair.h"

#include <algorithm>

#include "grader/program/base/process/parallel.h"

namespace kv::grader::similar {
namespace {

// Why: to search for the places of all pairs would take most of the time. A place of
// kGuaranteedTokens has a fingerprint.
bool may_be_listed(const SharedPrints& shared) {
  return shared.num_shared * kGuaranteedTokens >= kMinTokens;
}

bool is_listed(const SimilarPair& pair, int least_share) {
  const bool is_large_share = pair.shared.share() * 100 >= least_share;
  return pair.longest() >= kLongPlace || (is_large_share && pair.num_tokens >= kMinTokens);
}

SimilarPair pair_of(const std::vector<LabText>& texts, const SharedPrints& shared) {
  SimilarPair pair{.shared = shared,
                   .places = common_places(texts[shared.left], texts[shared.right])};
  std::ranges::stable_sort(pair.places, std::greater<>{}, &CommonPlace::num_counted);
  for (const CommonPlace& place : pair.places) pair.num_tokens += place.num_counted;
  return pair;
}

}  // namespace

std::vector<SimilarPair> similar_pairs(const std::vector<LabText>& texts, int least_share) {
  std::vector<SharedPrints> candidates = pairs_that_share(texts);
  std::erase_if(candidates, [](const SharedPrints& each) { return !may_be_listed(each); });
  std::vector<SimilarPair> pairs(candidates.size());
  in_parallel(candidates.size(), [&](std::size_t i) {
    SimilarPair pair = pair_of(texts, candidates[i]);
    if (is_listed(pair, least_share)) pairs[i] = std::move(pair);
  });
  std::erase_if(pairs, [](const SimilarPair& pair) { return pair.places.empty(); });
  std::ranges::stable_sort(pairs, std::greater<>{}, &SimilarPair::num_tokens);
  return pairs;
}

}  // namespace kv::grader::similar
