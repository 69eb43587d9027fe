#include "apps/speaker/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace kv {
namespace {

using nlohmann::json;

// What ByteLevel cuts by.
constexpr const char* kPatternOfGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// What Digits cuts by: numbers of Unicode 17, while patterns are those of Unicode 16.
constexpr const char* kNumber = "[\\p{N}\U00011de0-\U00011de9\U00016ff4-\U00016ff6]";

// A pattern for the text itself.
std::string escaped(const std::string& text) {
  std::string pattern;
  for (const char letter : text) {
    if (std::string_view("\\.?*+|()[]{}^$").find(letter) != std::string_view::npos) pattern += '\\';
    pattern += letter;
  }
  return pattern;
}

void merge_with_previous(std::vector<Stretch>& merged, const std::vector<Stretch>& stretches) {
  bool is_behind_match = false;
  for (const Stretch& stretch : stretches) {
    if (stretch.is_match && !is_behind_match && !merged.empty())
      merged.back().end = stretch.end;
    else
      merged.push_back(stretch);
    is_behind_match = stretch.is_match;
  }
}

void merge_with_next(std::vector<Stretch>& merged, const std::vector<Stretch>& stretches) {
  bool is_before_match = false;
  for (std::size_t i = stretches.size(); i-- > 0;) {
    if (stretches[i].is_match && !is_before_match && !merged.empty())
      merged.back().begin = stretches[i].begin;
    else
      merged.push_back(stretches[i]);
    is_before_match = stretches[i].is_match;
  }
  std::ranges::reverse(merged);
}

void merge_neighbors(std::vector<Stretch>& merged, const std::vector<Stretch>& stretches) {
  for (const Stretch& stretch : stretches) {
    if (!merged.empty() && merged.back().is_match == stretch.is_match)
      merged.back().end = stretch.end;
    else
      merged.push_back(stretch);
  }
}

}  // namespace

PreTokenizer::PreTokenizer(const json& entry) {
  add(entry);
  if (!has_byte_level_)
    throw std::runtime_error("has a pre_tokenizer that does not end with ByteLevel");
}

void PreTokenizer::add(const json& entry) {
  const std::string type = entry.is_null() ? "null" : entry.at("type").get<std::string>();
  if (has_byte_level_)
    throw std::runtime_error("has a pre_tokenizer with " + type + " after ByteLevel");
  if (type == "Sequence") {
    for (const json& each : entry.at("pretokenizers")) add(each);
  } else if (type == "Split") {
    add_split(entry);
  } else if (type == "Digits") {
    const bool is_each_alone = entry.at("individual_digits");
    steps_.push_back({SplitPattern(kNumber),
                      is_each_alone ? Behavior::kIsolated : Behavior::kContiguous, false});
  } else if (type == "ByteLevel") {
    add_byte_level(entry);
  } else {
    throw std::runtime_error("has a pre_tokenizer of type " + type +
                             "; Split, Digits, ByteLevel and Sequence can be read");
  }
}

void PreTokenizer::add_split(const json& entry) {
  const json& pattern = entry.at("pattern");
  const std::string regex = pattern.contains("Regex") ? pattern.at("Regex").get<std::string>()
                                                      : escaped(pattern.at("String"));
  steps_.push_back(
      {SplitPattern(regex), behavior_of(entry.at("behavior")), entry.value("invert", false)});
}

void PreTokenizer::add_byte_level(const json& entry) {
  has_byte_level_ = true;
  adds_prefix_space_ = entry.at("add_prefix_space");
  num_steps_before_space_ = steps_.size();
  if (entry.value("use_regex", true))
    steps_.push_back({SplitPattern(kPatternOfGpt2), Behavior::kIsolated, false});
}

PreTokenizer::Behavior PreTokenizer::behavior_of(const std::string& name) {
  constexpr std::array<const char*, 5> kNames = {"Isolated", "Removed", "Contiguous",
                                                 "MergedWithPrevious", "MergedWithNext"};
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end())
    throw std::runtime_error("has a pre_tokenizer with the behavior " + name);
  return static_cast<Behavior>(found - kNames.begin());
}

std::vector<Stretch> PreTokenizer::joined(const std::vector<Stretch>& stretches,
                                          Behavior behavior) {
  if (behavior == Behavior::kIsolated) return stretches;
  std::vector<Stretch> result;
  if (behavior == Behavior::kRemoved)
    std::ranges::copy_if(stretches, std::back_inserter(result),
                         [](const Stretch& stretch) { return !stretch.is_match; });
  if (behavior == Behavior::kContiguous) merge_neighbors(result, stretches);
  if (behavior == Behavior::kMergedWithPrevious) merge_with_previous(result, stretches);
  if (behavior == Behavior::kMergedWithNext) merge_with_next(result, stretches);
  return result;
}

void PreTokenizer::cut(const Step& step, std::vector<std::string>& pieces) {
  std::vector<std::string> smaller;
  for (const std::string& piece : pieces) {
    std::vector<Stretch> stretches = step.pattern.stretches_of(piece);
    if (step.is_inverted)
      for (Stretch& stretch : stretches) stretch.is_match = !stretch.is_match;
    for (const Stretch& stretch : joined(stretches, step.behavior))
      smaller.push_back(piece.substr(stretch.begin, stretch.end - stretch.begin));
  }
  pieces = std::move(smaller);
}

std::vector<std::string> PreTokenizer::pieces_of(const std::string& text) const {
  std::vector<std::string> pieces;
  if (!text.empty()) pieces.push_back(text);
  for (std::size_t i = 0; i <= steps_.size(); ++i) {
    if (i == num_steps_before_space_ && adds_prefix_space_)
      for (std::string& piece : pieces)
        if (!piece.starts_with(' ')) piece.insert(piece.begin(), ' ');
    if (i < steps_.size()) cut(steps_[i], pieces);
  }
  return pieces;
}

bool PreTokenizer::keeps_all_bytes() const {
  return std::ranges::none_of(steps_,
                              [](const Step& step) { return step.behavior == Behavior::kRemoved; });
}

}  // namespace kv
