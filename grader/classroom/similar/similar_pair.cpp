#include "grader/classroom/similar/similar_pair.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/process/parallel.h"

namespace kv::grader::similar {
namespace {

// Why a limit: a text that repeats one statement has the same k-gram everywhere.
constexpr std::size_t kMaxCandidates = 8;

class PlaceSearch {
 public:
  PlaceSearch(const LabText& left, const LabText& right)
      : left_(left),
        right_(right),
        is_left_used_(left.tokens.size()),
        is_right_used_(right.tokens.size()) {
    for (std::size_t i = 0; i < right.grams.size(); ++i) {
      if (right.grams[i] == 0) continue;
      std::vector<std::size_t>& places = places_[right.grams[i]];
      if (places.size() < kMaxCandidates) places.push_back(i);
    }
  }

  std::vector<CommonPlace> find() {
    std::vector<CommonPlace> found;
    for (std::size_t i = 0; i < left_.grams.size(); ++i) {
      if (is_left_used_[i] || left_.grams[i] == 0) continue;
      const CommonPlace best = longest_at(i);
      if (best.num_tokens == 0) continue;
      use(best);
      found.push_back(best);
    }
    std::ranges::sort(found, {}, &CommonPlace::left);
    return found;
  }

 private:
  CommonPlace longest_at(std::size_t i) const {
    CommonPlace best{};
    const auto candidates = places_.find(left_.grams[i]);
    if (candidates == places_.end()) return best;
    for (const std::size_t j : candidates->second) {
      const CommonPlace place = extended(i, j);
      if (place.num_counted > best.num_counted) best = place;
    }
    return best;
  }

  bool is_same(std::size_t i, std::size_t j) const {
    return !is_left_used_[i] && !is_right_used_[j] && left_.tokens[i].code == right_.tokens[j].code;
  }

  // In both directions, inside of the two files.
  CommonPlace extended(std::size_t i, std::size_t j) const {
    const SourceText& left = left_.file_of(i);
    const SourceText& right = right_.file_of(j);
    std::size_t length = 0;
    while (i + length < left.end_token() && j + length < right.end_token() &&
           is_same(i + length, j + length)) {
      ++length;
    }
    if (length < kGramTokens) return {};
    while (i > left.first_token && j > right.first_token && is_same(i - 1, j - 1)) {
      --i;
      --j;
      ++length;
    }
    return trimmed({i, j, length, 0});
  }

  // Without the tokens at its ends that do not count.
  CommonPlace trimmed(CommonPlace place) const {
    const auto& is_excluded = left_.is_excluded;
    while (is_excluded[place.left + place.num_tokens - 1]) --place.num_tokens;
    for (; is_excluded[place.left]; --place.num_tokens) {
      ++place.left;
      ++place.right;
    }
    const auto first = is_excluded.begin() + static_cast<std::ptrdiff_t>(place.left);
    const auto num_counted =
        std::count(first, first + static_cast<std::ptrdiff_t>(place.num_tokens), false);
    place.num_counted = static_cast<std::size_t>(num_counted);
    return place;
  }

  void use(const CommonPlace& place) {
    for (std::size_t k = 0; k < place.num_tokens; ++k) {
      is_left_used_[place.left + k] = true;
      is_right_used_[place.right + k] = true;
    }
  }

  const LabText& left_;
  const LabText& right_;
  std::vector<bool> is_left_used_, is_right_used_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> places_ = {};
};

}  // namespace

std::vector<CommonPlace> common_places(const LabText& left, const LabText& right) {
  return PlaceSearch(left, right).find();
}

namespace {

// In the order of the texts.
using TextsByPrint = std::unordered_map<std::uint64_t, std::vector<std::size_t>>;

std::uint64_t text_hash(const LabText& text) {
  std::uint64_t hash = text.tokens.size();
  for (const NormalToken& token : text.tokens)
    hash = (hash ^ token.code) * 0x9e3779b97f4a7c15 ^ (hash >> 29);
  return hash;
}

std::vector<std::size_t> first_of_equal_texts(const std::vector<LabText>& texts) {
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (seen.insert(text_hash(texts[i])).second) first.push_back(i);
  }
  return first;
}

void add_prints(const LabText& text, std::size_t index, TextsByPrint& texts_by_print) {
  for (const Fingerprint& print : text.prints) {
    std::vector<std::size_t>& with_it = texts_by_print[print.hash];
    if (with_it.empty() || with_it.back() != index) with_it.push_back(index);
  }
}

std::size_t num_different(const LabText& text) {
  std::unordered_set<std::uint64_t> hashes;
  for (const Fingerprint& print : text.prints) hashes.insert(print.hash);
  return hashes.size();
}

}  // namespace

std::size_t frequent_limit(std::size_t num_texts) {
  constexpr std::size_t kPartOfClass = 10, kFewest = 5, kMost = 20;
  return std::clamp(num_texts / kPartOfClass, kFewest, kMost);
}

std::size_t exclude_frequent(std::vector<LabText>& texts) {
  TextsByPrint texts_by_print;
  for (const std::size_t i : first_of_equal_texts(texts)) add_prints(texts[i], i, texts_by_print);
  const std::size_t limit = frequent_limit(texts.size());
  std::erase_if(texts_by_print, [&](const auto& print) { return print.second.size() <= limit; });
  for (LabText& text : texts) {
    exclude(text, [&](const Fingerprint& print) { return texts_by_print.contains(print.hash); });
  }
  return texts_by_print.size();
}

std::vector<SharedPrints> pairs_that_share(const std::vector<LabText>& texts) {
  TextsByPrint texts_by_print;
  for (std::size_t i = 0; i < texts.size(); ++i) add_prints(texts[i], i, texts_by_print);
  std::vector<std::size_t> num_prints(texts.size());
  std::vector<std::vector<std::size_t>> shared(texts.size());  // only with texts in front of it
  for (std::size_t i = 0; i < texts.size(); ++i) {
    num_prints[i] = num_different(texts[i]);
    shared[i].resize(i);
  }
  for (const auto& [hash, with_it] : texts_by_print) {
    for (std::size_t i = 1; i < with_it.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) ++shared[with_it[i]][with_it[j]];
    }
  }
  std::vector<SharedPrints> pairs;
  for (std::size_t right = 0; right < texts.size(); ++right) {
    for (std::size_t left = 0; left < right; ++left) {
      const std::size_t count = shared[right][left];
      if (count == 0) continue;
      const auto part = static_cast<double>(count);
      pairs.push_back({left, right, count, part / static_cast<double>(num_prints[left]),
                       part / static_cast<double>(num_prints[right])});
    }
  }
  return pairs;
}

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
