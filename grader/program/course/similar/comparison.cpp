#include "grader/program/course/similar/comparison.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace kv::grader::similar {
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

}  // namespace kv::grader::similar
