#pragma once
// How a text is cut into the pieces that BPE encodes one by one: the entry "pre_tokenizer" of a
// tokenizer.json.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/speaker/split_pattern.h"

namespace kv {

class PreTokenizer {
 public:
  // Reads Split, Digits and ByteLevel, the last one at the end, and a Sequence of these. Throws
  // std::runtime_error, with the second half of a sentence that begins with the file.
  explicit PreTokenizer(const nlohmann::json& entry);

  // The pieces, none of them empty. Requires: the text is UTF-8.
  std::vector<std::string> pieces_of(const std::string& text) const;

  // Whether no piece lacks bytes of the text.
  bool keeps_all_bytes() const;

 private:
  enum class Behavior { kIsolated, kRemoved, kContiguous, kMergedWithPrevious, kMergedWithNext };
  struct Step {
    SplitPattern pattern;
    Behavior behavior;
    bool is_inverted;
  };

  void add(const nlohmann::json& entry);
  void add_split(const nlohmann::json& entry);
  void add_byte_level(const nlohmann::json& entry);
  static Behavior behavior_of(const std::string& name);
  static std::vector<Stretch> joined(const std::vector<Stretch>& stretches, Behavior behavior);
  static void cut(const Step& step, std::vector<std::string>& pieces);

  std::vector<Step> steps_;
  bool has_byte_level_ = false, adds_prefix_space_ = false;
  std::size_t num_steps_before_space_ = 0;  // the blank is put before the pieces of these
};

}  // namespace kv
