// A pattern of a tokenizer, searched for by JavaScript's own regular expressions: a browser has no
// PCRE2.

#include <stdexcept>

#include "apps/speaker/split_pattern.h"

// In browser.js.
extern "C" int live_compile_pattern(const char* regex, std::size_t size);
extern "C" int live_find_matches(int pattern, const char* text, std::size_t size, int* places);

namespace kv {
namespace {

int number_of(const std::shared_ptr<const void>& code) {
  return *static_cast<const int*>(code.get());
}

}  // namespace

SplitPattern::SplitPattern(const std::string& regex)
    : code_(std::make_shared<const int>(live_compile_pattern(regex.data(), regex.size()))) {
  if (number_of(code_) < 0)
    throw std::runtime_error("has a pre_tokenizer with the pattern " + regex +
                             ", which a browser cannot read");
}

std::vector<Stretch> SplitPattern::stretches_of(std::string_view text) const {
  std::vector<int> places(2 * text.size());
  const int num_places =
      live_find_matches(number_of(code_), text.data(), text.size(), places.data());
  places.resize(static_cast<std::size_t>(num_places));
  std::vector<Stretch> stretches;
  std::size_t at = 0;
  for (std::size_t i = 0; i < places.size(); i += 2) {
    const auto begin = static_cast<std::size_t>(places[i]);
    const auto end = static_cast<std::size_t>(places[i + 1]);
    if (begin > at) stretches.push_back({at, begin, false});
    stretches.push_back({begin, end, true});
    at = end;
  }
  if (at < text.size()) stretches.push_back({at, text.size(), false});
  return stretches;
}

}  // namespace kv
