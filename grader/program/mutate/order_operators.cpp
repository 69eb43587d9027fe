#include <algorithm>

#include "grader/program/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

constexpr std::array<std::string_view, 6> kNoCall = {"if",     "for",    "while",
                                                     "switch", "return", "KV_REQUIRE"};

// Their two arguments may change places: nothing else does.
constexpr std::array<std::string_view, 3> kSymmetric = {"max", "min", "equal"};

void swap_elements(const Code& code, std::size_t open, Edits& edits) {
  const std::size_t last = code.closing(open) - 1;
  std::size_t first = open + 1;
  for (std::size_t comma = code.find(first, last, ","); comma <= last;) {
    const std::size_t next_comma = code.find(comma + 1, last, ",");
    const std::string left(code.text(first, comma - 1));
    const std::string right(code.text(comma + 1, next_comma - 1));
    if (left != right) replace(code, first, next_comma - 1, right + ", " + left, edits);
    first = comma + 1;
    comma = next_comma;
  }
}

// `for (T i = a; i < b; ++i)` from b down; the range is that between the parentheses.
void reverse_count(const Code& code, std::size_t first, std::size_t last, Edits& edits) {
  const std::size_t assigned = code.find(first, last, "=");
  const std::size_t tested = code.find(first, last, ";");
  const std::size_t stepped = code.find(tested + 1, last, ";");
  if (stepped > last || !code.is(tested + 2, "<") || !code.is(stepped + 1, "++")) return;
  const std::string start(code.text(assigned + 1, tested - 1));
  const std::string end(code.text(tested + 3, stepped - 1));
  const std::string name(code.tokens[tested + 1].text);
  replace(code, first, last,
          std::string(code.text(first, assigned)) + " " + end + "; " + name + "-- > " + start + ";",
          edits);
}

}  // namespace

void arguments(const Code& code, Edits& edits) {
  for (std::size_t i = 1; i < code.tokens.size(); ++i) {
    const Token& before = code.tokens[i - 1];
    const bool is_call = code.is(i, "(") && before.kind == TokenKind::kWord &&
                         std::ranges::count(kNoCall, before.text) == 0 &&
                         std::ranges::count(kSymmetric, before.text) == 0;
    const bool is_list = code.is(i, "{") && !code.opens_block(i);
    if (is_call || is_list) swap_elements(code, i, edits);
  }
}

void order(const Code& code, Edits& edits) {
  for (std::size_t i = 0; i + 1 < code.tokens.size(); ++i) {
    if (!code.is(i, "for")) continue;
    const std::size_t first = i + 2;
    const std::size_t last = code.closing(i + 1) - 1;
    const std::size_t colon = code.find(first, last, ":");
    if (colon > last) {
      reverse_count(code, first, last, edits);
      continue;
    }
    const std::string range(code.text(colon + 1, last));
    replace(code, colon + 1, last, "std::views::reverse(" + range + ")", edits);
  }
}

}  // namespace kv::grader::mutate
