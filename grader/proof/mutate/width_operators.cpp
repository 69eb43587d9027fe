// The operators that cut a 64-bit count to fewer bits.

#include <algorithm>
#include <array>

#include "grader/proof/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

struct Range {
  std::size_t first;
  std::size_t last;
};

constexpr std::array<std::string_view, 6> kComparisons = {"<", "<=", ">", ">=", "==", "!="};
constexpr std::array<std::string_view, 12> kOutsideOperand = {"(", ")", ",", "&&", "||", ";",
                                                              "=", "{", "}", "?",  ":",  "return"};

bool ends_operand(const FunctionBody& body, std::size_t i) {
  return std::ranges::count(kOutsideOperand, body.tokens[i].text) > 0;
}

Range left_operand(const FunctionBody& body, std::size_t comparison) {
  std::size_t first = comparison;
  while (first > 0) {
    const bool closes = nesting(body.tokens[first - 1].text) < 0;
    if (!closes && ends_operand(body, first - 1)) break;
    const std::size_t before = closes ? body.opening(first - 1) : first - 1;
    if (body.is(before, "{")) break;
    first = before;
  }
  return {first, comparison - 1};
}

Range right_operand(const FunctionBody& body, std::size_t comparison) {
  std::size_t last = comparison;
  while (last + 1 < body.tokens.size()) {
    const bool opens = nesting(body.tokens[last + 1].text) > 0 && last > comparison;
    if (!opens && ends_operand(body, last + 1)) break;
    last = opens ? body.closing(last + 1) : last + 1;
  }
  return {comparison + 1, last};
}

// A word of the code that names how many there are of something.
bool names_count(const Token& token) {
  const std::string_view word = token.text;
  return word.starts_with("num_") || word == "size" || word.ends_with("_size") ||
         word.ends_with("_size_") || word.ends_with("_len");
}

bool is_count(const FunctionBody& body, Range operand) {
  bool has_name = false;
  for (std::size_t i = operand.first; i <= operand.last; ++i)
    has_name |= names_count(body.tokens[i]);
  return has_name && operand.first <= operand.last;
}

// A parameter: a single word that the body does not declare and that is no member.
bool is_parameter(const FunctionBody& body, Range operand) {
  const std::string_view word = body.tokens[operand.first].text;
  if (operand.first != operand.last || word.ends_with('_')) return false;
  for (std::size_t i = 1; i < body.tokens.size(); ++i) {
    const bool is_declared =
        body.is(i, word) && (body.is(i - 1, "size_t") || body.is(i - 1, "auto"));
    if (is_declared) return false;
  }
  return true;
}

bool is_in_head_of_for(const FunctionBody& body, std::size_t token) {
  for (std::size_t i = 0; i < token; ++i) {
    if (body.is(i, "for") && body.closing(i + 1) > token) return true;
  }
  return false;
}

void cut(const FunctionBody& body, Range operand, const char* bits, Edits& edits) {
  edits.push_back({body.tokens[operand.first].begin, body.tokens[operand.last].end(),
                   std::string("static_cast<std::uint") + bits + "_t>(" +
                       std::string(body.text(operand.first, operand.last)) + ")"});
}

std::vector<Range> compared_counts(const FunctionBody& body) {
  std::vector<Range> counts;
  for (std::size_t i = 1; i + 1 < body.tokens.size(); ++i) {
    const bool compares = std::ranges::count(kComparisons, body.tokens[i].text) > 0;
    if (!compares || !body.is_binary(i)) continue;
    for (const Range operand : {left_operand(body, i), right_operand(body, i)}) {
      if (is_count(body, operand)) counts.push_back(operand);
    }
  }
  return counts;
}

// `std::size_t n = value;`, but not a number.
std::vector<Range> initial_counts(const FunctionBody& body) {
  std::vector<Range> values;
  for (std::size_t i = 0; i + 2 < body.tokens.size(); ++i) {
    if (!body.is(i, "size_t") || !body.is(i + 2, "=")) continue;
    const std::size_t end = body.find(i + 3, body.tokens.size() - 1, ";");
    const bool is_number = end == i + 4 && body.tokens[i + 3].kind == TokenKind::kNumber;
    if (!is_number && end < body.tokens.size()) values.push_back({i + 3, end - 1});
  }
  return values;
}

void cut_counts(const FunctionBody& body, const char* bits, Edits& edits) {
  for (const Range value : initial_counts(body)) cut(body, value, bits, edits);
  for (const Range count : compared_counts(body)) cut(body, count, bits, edits);
}

}  // namespace

void eight_bits(const FunctionBody& body, Edits& edits) {
  cut_counts(body, "8", edits);
}

void sixteen_bits(const FunctionBody& body, Edits& edits) {
  cut_counts(body, "16", edits);
}

// Why parameters only, and not how often a loop runs: no test has the memory for 2^32 of anything.
void thirty_two_bits(const FunctionBody& body, Edits& edits) {
  for (const Range count : compared_counts(body)) {
    const bool ends_loop = is_in_head_of_for(body, count.first);
    if (is_parameter(body, count) && !ends_loop) cut(body, count, "32", edits);
  }
}

}  // namespace kv::grader::mutate
