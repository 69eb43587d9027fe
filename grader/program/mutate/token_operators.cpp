#include <algorithm>
#include <cctype>
#include <span>

#include "grader/program/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

struct Swap {
  std::string_view from;
  std::string_view to;
};

constexpr std::array<Swap, 10> kRelations = {{{"<", "<="},
                                              {"<", ">="},
                                              {"<=", "<"},
                                              {"<=", ">"},
                                              {">", ">="},
                                              {">", "<="},
                                              {">=", ">"},
                                              {">=", "<"},
                                              {"==", "!="},
                                              {"!=", "=="}}};
constexpr std::array<Swap, 7> kSums = {
    {{"+", "-"}, {"-", "+"}, {"*", "/"}, {"/", "*"}, {"%", "/"}, {"+=", "-="}, {"-=", "+="}}};
constexpr std::array<Swap, 2> kSteps = {{{"++", "--"}, {"--", "++"}}};
constexpr std::array<Swap, 2> kConnectives = {{{"&&", "||"}, {"||", "&&"}}};
constexpr std::array<Swap, 2> kTruths = {{{"true", "false"}, {"false", "true"}}};
constexpr std::array<Swap, 2> kJumps = {{{"break", "continue"}, {"continue", "break"}}};
constexpr std::array<Swap, 10> kNeighbors = {{{"prev", "next"},
                                              {"next", "prev"},
                                              {"front", "back"},
                                              {"back", "front"},
                                              {"head", "tail"},
                                              {"tail", "head"},
                                              {"first", "last"},
                                              {"last", "first"},
                                              {"min", "max"},
                                              {"max", "min"}}};

void swap_tokens(const Code& code, std::span<const Swap> swaps, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    for (const Swap& swap : swaps) {
      if (code.is(i, swap.from)) replace(code, i, i, std::string(swap.to), edits);
    }
  }
}

void swap_binaries(const Code& code, std::span<const Swap> swaps, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    for (const Swap& swap : swaps) {
      if (code.is(i, swap.from) && code.is_binary(i))
        replace(code, i, i, std::string(swap.to), edits);
    }
  }
}

// "next" in "next_free_block", and not in "nextest". Empty: it is no part of the word.
std::string with_part_swapped(std::string_view word, const Swap& swap) {
  const std::size_t at = word.find(swap.from);
  if (at == word.npos) return "";
  const std::string_view before = word.substr(0, at);
  const std::string_view behind = word.substr(at + swap.from.size());
  const bool is_part =
      (before.empty() || before.ends_with('_')) && (behind.empty() || behind.starts_with('_'));
  return is_part ? std::string(before).append(swap.to).append(behind) : "";
}

bool is_decimal(std::string_view number) {
  return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

void replace(const Code& code,
             std::size_t first,
             std::size_t last,
             const std::string& replacement,
             Edits& edits) {
  if (code.text(first, last) == replacement) return;
  edits.push_back({code.tokens[first].begin, code.tokens[last].end(), replacement});
}

void relational(const Code& code, Edits& edits) {
  swap_binaries(code, kRelations, edits);
}

void arithmetic(const Code& code, Edits& edits) {
  swap_binaries(code, kSums, edits);
  swap_tokens(code, kSteps, edits);
}

void logical(const Code& code, Edits& edits) {
  swap_binaries(code, kConnectives, edits);
}

void constant(const Code& code, Edits& edits) {
  swap_tokens(code, kTruths, edits);
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    const Token& token = code.tokens[i];
    if (token.kind != TokenKind::kNumber || !is_decimal(token.text)) continue;
    const long long value = std::stoll(std::string(token.text));
    replace(code, i, i, std::to_string(value + 1), edits);
    replace(code, i, i, std::to_string(value - 1), edits);
  }
}

void negation(const Code& code, Edits& edits) {
  constexpr std::array<Swap, 1> kNegations = {{{"!", ""}}};
  swap_tokens(code, kNegations, edits);
}

void jump(const Code& code, Edits& edits) {
  swap_tokens(code, kJumps, edits);
}

void neighbor(const Code& code, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    if (code.tokens[i].kind != TokenKind::kWord) continue;
    for (const Swap& swap : kNeighbors) {
      const std::string swapped = with_part_swapped(code.tokens[i].text, swap);
      if (!swapped.empty()) replace(code, i, i, swapped, edits);
    }
  }
}

void step(const Code& code, Edits& edits) {
  const std::vector<std::size_t> statements = code.statements();
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    if (!code.is(i, "++") && !code.is(i, "--")) continue;
    const bool is_statement = std::ranges::binary_search(statements, i);  // deleted as a whole
    if (!is_statement) replace(code, i, i, "", edits);
  }
}

}  // namespace kv::grader::mutate
