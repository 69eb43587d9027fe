#include "base/text/utf16.h"

#include <gtest/gtest.h>

namespace kv::grader {
namespace {

using namespace std::string_literals;

TEST(Utf16, IsReadInEitherOrderWithItsMarkOrWithout) {
  EXPECT_EQ(utf8_of("\xff\xfei\0n\0t\0"s), "int");
  EXPECT_EQ(utf8_of("\xfe\xff\0i\0n\0t"s), "int");
  EXPECT_EQ(utf8_of("i\0n\0t\0"s), "int");
  EXPECT_EQ(utf8_of("\0i\0n\0t"s), "int");
}

TEST(Utf16, HasLettersOfAllLengths) {
  EXPECT_EQ(utf8_of("\xff\xfe\xe9\0\xac\x20\x3d\xd8\0\xde"s), "\u00e9\u20ac\U0001f600");
}

TEST(Utf16, IsNoOtherText) {
  for (const std::string& text : {""s, "int"s, "caf\xc3\xa9"s, "a\0b"s, "\0\0\0\0"s}) {
    EXPECT_FALSE(is_utf16(text));
    EXPECT_EQ(utf8_of(text), text);
  }
}

// What is cut off is left out.
TEST(Utf16, MayEndInTheMiddleOfALetter) {
  EXPECT_EQ(utf8_of("\xff\xfei\0n"s), "i");
}

}  // namespace
}  // namespace kv::grader
