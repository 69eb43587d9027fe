#pragma once
// A regular expression of a tokenizer.json. There it is one of Oniguruma, the library of Hugging
// Face's tokenizers; here PCRE2 searches for it. What the two read in different ways is written in
// another way for PCRE2, or refused.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct Stretch {
  std::size_t begin, end;  // bytes of a text
  bool is_match;
};

class SplitPattern {
 public:
  // Throws std::runtime_error, with the second half of a sentence that begins with the file.
  explicit SplitPattern(const std::string& regex);

  // The matches, one after the other, and what lies between them: all of the text.
  // Requires: the text is UTF-8 and not empty.
  std::vector<Stretch> stretches_of(std::string_view text) const;

 private:
  std::shared_ptr<const void> code_;
};

// The pattern as PCRE2 has to read it. Throws as the constructor does.
std::string pattern_of_pcre2(const std::string& regex);

}  // namespace kv
