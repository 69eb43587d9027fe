#pragma once
// Texts of UTF-8: their normal form, their white space, and their letters.

#include <cstddef>
#include <string>
#include <string_view>

namespace kv {

// The text with U+FFFD in place of each byte that is no part of a letter.
std::string valid_utf8(std::string_view text);

// Unicode's normal form C, as tokenizers 0.23 makes it. Requires: the text is UTF-8.
std::string composed(const std::string& text);

// The bytes of white space at the beginning, and at the end, of a text of UTF-8.
std::size_t white_space_before(std::string_view text);
std::size_t white_space_after(std::string_view text);

// How many bytes at the beginning of text are whole letters of UTF-8, so that they can be printed;
// the rest waits for the next token.
std::size_t num_printable_bytes(std::string_view text);

// The bytes of the first letter. Requires: the text is UTF-8 and not empty.
std::size_t num_bytes_of_letter(std::string_view text);

// Letters of UTF-8: all bytes but those that continue a letter.
std::size_t num_letters(std::string_view text);

}  // namespace kv
