#include "apps/speaker/split_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cstdint>
#include <stdexcept>

#include "apps/speaker/newer_letters.h"

namespace kv {
namespace {

const pcre2_code* compiled(const std::shared_ptr<const void>& code) {
  return static_cast<const pcre2_code*>(code.get());
}

std::runtime_error refused_pattern(const std::string& regex, const std::string& reason) {
  return std::runtime_error("has a pre_tokenizer with the pattern " + regex + ", which " + reason);
}

std::shared_ptr<const void> compile(const std::string& regex) {
  const std::string pattern = pattern_of_pcre2(regex);
  const std::shared_ptr<pcre2_compile_context> context(pcre2_compile_context_create(nullptr),
                                                       pcre2_compile_context_free);
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                   PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &offset,
                                   context.get());
  if (code == nullptr) throw refused_pattern(regex, "is no regular expression");
  std::uint32_t matches_nothing = 0;
  pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &matches_nothing);
  const std::shared_ptr<const void> kept(code, [](const void* freed) {
    pcre2_code_free(const_cast<pcre2_code*>(static_cast<const pcre2_code*>(freed)));
  });
  if (matches_nothing != 0) throw refused_pattern(regex, "matches where there is no letter");
  return kept;
}

}  // namespace

SplitPattern::SplitPattern(const std::string& regex) : code_(compile(regex)) {}

std::vector<Stretch> SplitPattern::stretches_of(std::string_view given) const {
  const std::string text = with_older_letters(given);
  const std::shared_ptr<pcre2_match_data> match(
      pcre2_match_data_create_from_pattern(compiled(code_), nullptr), pcre2_match_data_free);
  const std::shared_ptr<pcre2_match_context> context(pcre2_match_context_create(nullptr),
                                                     pcre2_match_context_free);
  pcre2_set_match_limit(context.get(), ~std::uint32_t{0});
  const PCRE2_SIZE* found = pcre2_get_ovector_pointer(match.get());
  std::vector<Stretch> stretches;
  std::size_t at = 0;
  while (at < text.size()) {
    const int result = pcre2_match(compiled(code_), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                   text.size(), at, PCRE2_NO_UTF_CHECK, match.get(), context.get());
    if (result == PCRE2_ERROR_NOMATCH) break;
    if (result < 0)
      throw std::runtime_error("a prompt is too long for the pattern of the tokenizer");
    if (found[0] > at) stretches.push_back({at, found[0], false});
    stretches.push_back({found[0], found[1], true});
    at = found[1];
  }
  if (at < text.size()) stretches.push_back({at, text.size(), false});
  return stretches;
}

}  // namespace kv
