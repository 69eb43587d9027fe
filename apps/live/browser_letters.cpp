// The functions of include/utf8proc.h.

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

// In browser.js.
extern "C" int live_first_letter(const void* text, std::size_t size, int* letter);
extern "C" int live_write_letter(int letter, void* bytes);
extern "C" char* live_composed(const void* text, std::size_t size);

constexpr std::size_t kMostBytesOfLetter = 4;

utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t* text,
                                  utf8proc_ssize_t num_bytes,
                                  utf8proc_int32_t* letter) {
  const std::size_t size = std::min(static_cast<std::size_t>(num_bytes), kMostBytesOfLetter);
  int found = 0;
  const int num_found = live_first_letter(text, size, &found);
  if (num_found > 0) *letter = found;
  return num_found > 0 ? num_found : -1;
}

utf8proc_ssize_t utf8proc_encode_char(utf8proc_int32_t letter, utf8proc_uint8_t* bytes) {
  return live_write_letter(letter, bytes);
}

utf8proc_ssize_t utf8proc_map(const utf8proc_uint8_t* text,
                              utf8proc_ssize_t num_bytes,
                              utf8proc_uint8_t** result,
                              utf8proc_option_t) {
  char* composed = live_composed(text, static_cast<std::size_t>(num_bytes));
  *result = reinterpret_cast<utf8proc_uint8_t*>(composed);
  return static_cast<utf8proc_ssize_t>(std::strlen(composed));
}
