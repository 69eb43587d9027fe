#pragma once
// Texts that an editor of Windows has saved with two bytes for each letter.

#include <string>

namespace kv::grader {

// Is it UTF-16, by its first two bytes, or because every other byte is 0?
bool is_utf16(const std::string& text);

// The same text in UTF-8; unchanged if it is not UTF-16.
std::string utf8_of(const std::string& text);

}  // namespace kv::grader
