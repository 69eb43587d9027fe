#pragma once
// Letters that are newer than the Unicode of a system's PCRE2.

#include <cstdint>
#include <string>
#include <string_view>

namespace kv {

// Whether it came with Unicode 15 or 16.
bool is_newer_letter(std::int32_t code);

// The text with an older letter of the same kind, and as long, in place of each letter that came
// with Unicode 15 or 16. Why: tokenizers 0.23 has Unicode 16, and the PCRE2 of Debian 12 has 14, so
// it would take a newer letter for none. Requires: the text is UTF-8.
std::string with_older_letters(std::string_view text);

}  // namespace kv
