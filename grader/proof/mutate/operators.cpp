#include "grader/proof/mutate/operators.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace kv::grader::mutate {
namespace {

// Replaces a range of tokens, unless the text is already there.
void replace(const FunctionBody& body,
             std::size_t first,
             std::size_t last,
             const std::string& replacement,
             Edits& edits) {
  if (body.text(first, last) == replacement) return;
  edits.push_back({body.tokens[first].begin, body.tokens[last].end(), replacement});
}

// One token for another.

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
constexpr std::array<Swap, 2> kBooleans = {{{"true", "false"}, {"false", "true"}}};
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

void swap_tokens(const FunctionBody& body, std::span<const Swap> swaps, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    for (const Swap& swap : swaps) {
      if (body.is(i, swap.from)) replace(body, i, i, std::string(swap.to), edits);
    }
  }
}

void swap_binaries(const FunctionBody& body, std::span<const Swap> swaps, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    for (const Swap& swap : swaps) {
      if (body.is(i, swap.from) && body.is_binary(i))
        replace(body, i, i, std::string(swap.to), edits);
    }
  }
}

// "next" in "next_free_block", but not in "nextest". Empty if it is not a part of the word.
std::string with_part_swapped(std::string_view word, const Swap& swap) {
  const std::size_t at = word.find(swap.from);
  if (at == word.npos) return "";
  const std::string_view before = word.substr(0, at);
  const std::string_view after = word.substr(at + swap.from.size());
  const bool is_part =
      (before.empty() || before.ends_with('_')) && (after.empty() || after.starts_with('_'));
  return is_part ? std::string(before).append(swap.to).append(after) : "";
}

bool is_decimal(std::string_view number) {
  return std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

void relational(const FunctionBody& body, Edits& edits) {
  swap_binaries(body, kRelations, edits);
}

void arithmetic(const FunctionBody& body, Edits& edits) {
  swap_binaries(body, kSums, edits);
  swap_tokens(body, kSteps, edits);
}

void logical(const FunctionBody& body, Edits& edits) {
  swap_binaries(body, kConnectives, edits);
}

void constant(const FunctionBody& body, Edits& edits) {
  swap_tokens(body, kBooleans, edits);
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    const Token& token = body.tokens[i];
    if (token.kind != TokenKind::kNumber || !is_decimal(token.text)) continue;
    const long long value = std::stoll(std::string(token.text));
    replace(body, i, i, std::to_string(value + 1), edits);
    replace(body, i, i, std::to_string(value - 1), edits);
  }
}

void negation(const FunctionBody& body, Edits& edits) {
  constexpr std::array<Swap, 1> kNegations = {{{"!", ""}}};
  swap_tokens(body, kNegations, edits);
}

void jump(const FunctionBody& body, Edits& edits) {
  swap_tokens(body, kJumps, edits);
}

void neighbor(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (body.tokens[i].kind != TokenKind::kWord) continue;
    for (const Swap& swap : kNeighbors) {
      const std::string swapped = with_part_swapped(body.tokens[i].text, swap);
      if (!swapped.empty()) replace(body, i, i, swapped, edits);
    }
  }
}

void step(const FunctionBody& body, Edits& edits) {
  const std::vector<std::size_t> statements = body.statements();
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (!body.is(i, "++") && !body.is(i, "--")) continue;
    const bool is_statement = std::ranges::binary_search(statements, i);  // see `statement`
    if (!is_statement) replace(body, i, i, "", edits);
  }
}

// A piece of code.

constexpr std::array<std::string_view, 12> kNoSimpleStatement = {
    "if", "for", "while", "do", "else", "switch", "try", "catch", "case", "default", ";", "{"};
constexpr std::array<std::string_view, 5> kDefaults = {"{}", "nullptr", "std::nullopt", "false",
                                                       "0"};

void decide(const FunctionBody& body, std::size_t first, std::size_t last, Edits& edits) {
  replace(body, first, last, "!(" + std::string(body.text(first, last)) + ")", edits);
  replace(body, first, last, "true", edits);
  replace(body, first, last, "false", edits);
}

// Where the condition of the "?" at `mark` begins.
std::size_t begin_of_choice(const FunctionBody& body, std::size_t mark) {
  constexpr std::array<std::string_view, 8> kBefore = {"=", "return", "(", "[", "{", ",", ";", "}"};
  std::size_t i = mark;
  int depth = 0;
  while (i > 0) {
    const Token& token = body.tokens[i - 1];
    const bool ends = std::ranges::count(kBefore, token.text) > 0;
    if (depth == 0 && ends) break;
    depth += token.is(")") || token.is("]") ? 1 : token.is("(") || token.is("[") ? -1 : 0;
    --i;
  }
  return i;
}

void condition(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (body.is(i, "?")) decide(body, begin_of_choice(body, i), i - 1, edits);
    const bool is_loop = body.is(i, "for");
    if (!is_loop && !body.is(i, "if") && !body.is(i, "while")) continue;
    const std::size_t last = body.closing(i + 1) - 1;
    const std::size_t tested = is_loop ? body.find(i + 2, last, ";") + 1 : i + 2;
    const std::size_t stepped = is_loop ? body.find(tested, last, ";") : last + 1;
    if (tested < stepped) decide(body, tested, stepped - 1, edits);
  }
}

void statement(const FunctionBody& body, Edits& edits) {
  for (const std::size_t first : body.statements()) {
    const auto end = body.find(first, body.tokens.size() - 1, ";");
    if (std::ranges::count(kNoSimpleStatement, body.tokens[first].text) > 0) continue;
    if (body.is(first, "return") && end > first + 1) continue;  // see `result`
    if (end < body.tokens.size()) replace(body, first, end, ";", edits);
  }
}

void block(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (body.opens_block(i)) replace(body, i, body.closing(i), "{}", edits);
  }
}

void result(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (!body.is(i, "return") || body.is(i + 1, ";")) continue;
    const std::size_t last = body.find(i + 1, body.tokens.size() - 1, ";") - 1;
    if (std::ranges::count(kDefaults, body.text(i + 1, last)) > 0) continue;
    replace(body, i + 1, last, "{}", edits);
  }
}

// The same things in another order.

constexpr std::array<std::string_view, 6> kNoCall = {"if",     "for",    "while",
                                                     "switch", "return", "KV_REQUIRE"};

// The order of their two arguments does not matter.
constexpr std::array<std::string_view, 3> kSymmetric = {"max", "min", "equal"};

void swap_elements(const FunctionBody& body, std::size_t open, Edits& edits) {
  const std::size_t last = body.closing(open) - 1;
  std::size_t first = open + 1;
  for (std::size_t comma = body.find(first, last, ","); comma <= last;) {
    const std::size_t next_comma = body.find(comma + 1, last, ",");
    const std::string left(body.text(first, comma - 1));
    const std::string right(body.text(comma + 1, next_comma - 1));
    if (left != right) replace(body, first, next_comma - 1, right + ", " + left, edits);
    first = comma + 1;
    comma = next_comma;
  }
}

// `for (T i = a; i < b; ++i)` from b down; the range is that between the parentheses.
void reverse_count(const FunctionBody& body, std::size_t first, std::size_t last, Edits& edits) {
  const std::size_t assigned = body.find(first, last, "=");
  const std::size_t tested = body.find(first, last, ";");
  const std::size_t stepped = body.find(tested + 1, last, ";");
  if (stepped > last || !body.is(tested + 2, "<") || !body.is(stepped + 1, "++")) return;
  const std::string start(body.text(assigned + 1, tested - 1));
  const std::string end(body.text(tested + 3, stepped - 1));
  const std::string name(body.tokens[tested + 1].text);
  replace(body, first, last,
          std::string(body.text(first, assigned)) + " " + end + "; " + name + "-- > " + start + ";",
          edits);
}

void arguments(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 1; i < body.tokens.size(); ++i) {
    const Token& before = body.tokens[i - 1];
    const bool is_call = body.is(i, "(") && before.kind == TokenKind::kWord &&
                         std::ranges::count(kNoCall, before.text) == 0 &&
                         std::ranges::count(kSymmetric, before.text) == 0;
    const bool is_list = body.is(i, "{") && !body.opens_block(i);
    if (is_call || is_list) swap_elements(body, i, edits);
  }
}

void order(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i + 1 < body.tokens.size(); ++i) {
    if (!body.is(i, "for")) continue;
    const std::size_t first = i + 2;
    const std::size_t last = body.closing(i + 1) - 1;
    const std::size_t colon = body.find(first, last, ":");
    if (colon > last) {
      reverse_count(body, first, last, edits);
      continue;
    }
    const std::string range(body.text(colon + 1, last));
    replace(body, colon + 1, last, "std::views::reverse(" + range + ")", edits);
  }
}

}  // namespace

constinit const std::array<Operator, 22> kOperators = {{
    {"relational", relational},  // < for <=
    {"arithmetic", arithmetic},  // + for -
    {"logical", logical},        // && for ||
    {"constant", constant},      // 1 for 2, true for false
    {"negation", negation},      // ! removed
    {"jump", jump},              // break for continue
    {"neighbor", neighbor},      // next for prev, tail for head, back for front
    {"step", step},              // ++ or -- removed: a holder that is not counted
    {"condition", condition},    // negated, always true, always false
    {"statement", statement},    // removed
    {"block", block},            // emptied
    {"result", result},          // return {}
    {"arguments", arguments},    // two neighbors swapped
    {"order", order},            // a loop that runs backward
    {"guard", guard},            // a check or an early return one statement up or down
    {"early", early},            // continue or return before the last statements
    {"once", once},              // a loop over the first or the last element only
    {"lifetime", lifetime},      // a local variable that is static
    {"refusal", refusal},        // a call that is not refused for one of its reasons
    {"8 bits", eight_bits},      // a count that is cut
    {"16 bits", sixteen_bits},
    {"32 bits", thirty_two_bits},
}};

}  // namespace kv::grader::mutate
