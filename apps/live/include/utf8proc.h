#pragma once
// What apps/speaker asks of the library utf8proc, answered by the browser.

#include <cstddef>
#include <cstdint>

using utf8proc_int32_t = std::int32_t;
using utf8proc_uint8_t = std::uint8_t;
using utf8proc_ssize_t = std::ptrdiff_t;
enum utf8proc_option_t { UTF8PROC_STABLE = 2, UTF8PROC_COMPOSE = 8 };

// The first letter of a text, and how many bytes it has; less than 0 if these are no letter.
utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t* text,
                                  utf8proc_ssize_t num_bytes,
                                  utf8proc_int32_t* letter);

// Writes a letter, and gives how many bytes it has.
utf8proc_ssize_t utf8proc_encode_char(utf8proc_int32_t letter, utf8proc_uint8_t* bytes);

// Unicode's normal form C, in memory of malloc; gives its bytes.
utf8proc_ssize_t utf8proc_map(const utf8proc_uint8_t* text,
                              utf8proc_ssize_t num_bytes,
                              utf8proc_uint8_t** result,
                              utf8proc_option_t options);
