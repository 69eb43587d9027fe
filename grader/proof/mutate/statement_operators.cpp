// The operators that work on whole statements: at another place, with another lifetime, run once,
// with a condition that refuses less.

#include <algorithm>
#include <array>

#include "grader/proof/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

void insert_before(const FunctionBody& body,
                   std::size_t before,
                   const std::string& text,
                   Edits& edits) {
  edits.push_back({body.tokens[before].begin, body.tokens[before].begin, text});
}

bool is_jump(const FunctionBody& body, std::size_t first) {
  return body.is(first, "return") || body.is(first, "continue") || body.is(first, "break") ||
         body.is(first, "throw");
}

// `if (a) return b;`, also with braces and more before the jump; and KV_REQUIRE.
bool is_guard(const FunctionBody& body, const Statement& statement) {
  if (body.is(statement.first, "KV_REQUIRE")) return true;
  if (!body.is(statement.first, "if")) return false;
  const std::size_t then = body.closing(statement.first + 1) + 1;
  if (body.end_of_statement(then) != statement.last) return false;  // it has an else
  if (!body.is(then, "{")) return is_jump(body, then);
  const std::vector<Statement> inner = body.statements_in(then);
  return !inner.empty() && is_jump(body, inner.back().first);
}

// `T a` or `T a = b`: the token of `a`; 0 if the statement declares nothing, or with a list.
std::size_t declared_name(const FunctionBody& body, const Statement& statement) {
  constexpr std::array<std::string_view, 5> kNoType = {"return", "break", "continue", "using",
                                                       "throw"};
  const Token& token = body.tokens[statement.first];
  if (token.kind != TokenKind::kWord || std::ranges::count(kNoType, token.text) > 0) return 0;
  const std::size_t assigned = body.find(statement.first, statement.last, "=");
  const std::size_t name = std::min(assigned, statement.last) - 1;
  const bool is_declared =
      name > statement.first && body.tokens[name].kind == TokenKind::kWord &&
      (body.is(name - 1, ">") || body.is(name - 1, "*") || body.is(name - 1, "&") ||
       body.tokens[name - 1].kind == TokenKind::kWord);
  return is_declared ? name : 0;
}

// A call or a step at this token; a static_cast is none.
bool calls(const FunctionBody& body, std::size_t i) {
  if (body.is(i, "++")) return true;
  std::size_t before = i;
  if (body.is(i - 1, ">")) {
    while (before > 0 && !body.is(before, "<")) --before;
  }
  return body.is(i, "(") && !(before > 0 && body.is(before - 1, "static_cast"));
}

// `T a;` or `T a = b.c;`: it calls nothing, so a check before or after it is the same.
bool only_reads(const FunctionBody& body, const Statement& statement) {
  if (declared_name(body, statement) == 0) return false;
  for (std::size_t i = statement.first + 1; i < statement.last; ++i) {
    if (calls(body, i)) return false;
  }
  return true;
}

// What a guard does instead of the statements after it.
std::string_view refusal(const FunctionBody& body, const Statement& guard) {
  if (body.is(guard.first, "KV_REQUIRE")) return "KV_REQUIRE";
  return body.text(body.closing(guard.first + 1) + 1, guard.last);
}

// Whether it makes no difference which of two guards in a row comes first.
bool refuse_alike(const FunctionBody& body, const Statement& left, const Statement& right) {
  return is_guard(body, left) && is_guard(body, right) &&
         refusal(body, left) == refusal(body, right);
}

// It asks for memory ahead, so a check before or after it is the same.
bool is_prefetch(const FunctionBody& body, const Statement& statement) {
  bool asks = false;
  for (std::size_t i = statement.first; i < statement.last; ++i) {
    if (body.opens_block(i)) return false;
    asks |= body.is(i, "prefetch");
  }
  return asks;
}

bool has_no_effect(const FunctionBody& body, const Statement& statement) {
  return only_reads(body, statement) || is_prefetch(body, statement);
}

void swap_statements(const FunctionBody& body,
                     const Statement& left,
                     const Statement& right,
                     Edits& edits) {
  const std::size_t begin = body.tokens[left.first].begin;
  const std::size_t end = body.tokens[right.last].end();
  const std::size_t between = body.tokens[left.last].end();
  const std::string gap(body.source.substr(between, body.tokens[right.first].begin - between));
  edits.push_back({begin, end,
                   std::string(body.text(right.first, right.last)) + gap +
                       std::string(body.text(left.first, left.last))});
}

bool is_compound(const Token& token) {
  constexpr std::array<std::string_view, 7> kCompound = {"if",     "for", "while", "do",
                                                         "switch", "try", "{"};
  return std::ranges::count(kCompound, token.text) > 0;
}

bool is_loop(const FunctionBody& body, std::size_t first) {
  return body.is(first, "for") || body.is(first, "while");
}

// The last of what a range-for goes over, or of what `for (T i = a; i < b; ++i)` counts.
void only_last(const FunctionBody& body, std::size_t loop, Edits& edits) {
  const std::size_t first = loop + 2;
  const std::size_t last = body.closing(loop + 1) - 1;
  const std::size_t colon = body.find(first, last, ":");
  if (colon <= last) {
    const std::string range(body.text(colon + 1, last));
    edits.push_back({body.tokens[colon + 1].begin, body.tokens[last].end(),
                     "std::views::reverse(" + range + ") | std::views::take(1)"});
    return;
  }
  const std::size_t assigned = body.find(first, last, "=");
  const std::size_t tested = body.find(first, last, ";");
  const std::size_t stepped = body.find(tested + 1, last, ";");
  if (assigned > tested || stepped > last || !body.is(tested + 2, "<")) return;
  const std::string start(body.text(assigned + 1, tested - 1));
  const std::string end(body.text(tested + 3, stepped - 1));
  edits.push_back({body.tokens[assigned + 1].begin, body.tokens[tested - 1].end(),
                   start + " < " + end + " ? " + end + " - 1 : " + start});
}

bool is_literal(const Token& token) {
  return token.kind != TokenKind::kWord || token.is("nullptr") || token.is("true") ||
         token.is("false");
}

// Why not at the "}" after it: the ledger quotes the changed lines.
void insert_break(const FunctionBody& body, const Statement& before, Edits& edits) {
  const std::string statement(body.text(before.first, before.last));
  edits.push_back(
      {body.tokens[before.first].begin, body.tokens[before.last].end(), statement + " break;"});
}

// Each operand of `a && b` between these tokens is true.
void leave_out_operands(const FunctionBody& body,
                        std::size_t first,
                        std::size_t last,
                        Edits& edits) {
  for (std::size_t begin = first; begin <= last;) {
    const std::size_t end = body.find(begin, last, "&&");
    edits.push_back({body.tokens[begin].begin, body.tokens[end - 1].end(), "true"});
    begin = end + 1;
  }
}

// Each argument of a `min(a, b)` between these tokens becomes the other one.
void leave_out_bounds(const FunctionBody& body, std::size_t first, std::size_t last, Edits& edits) {
  for (std::size_t i = first; i < last; ++i) {
    if (!body.is(i, "min") || !body.is(i + 1, "(")) continue;
    const std::size_t end = body.closing(i + 1) - 1;
    const std::size_t comma = body.find(i + 2, end, ",");
    const std::string left(body.text(i + 2, comma - 1));
    const std::string right(body.text(comma + 1, end));
    edits.push_back({body.tokens[i + 2].begin, body.tokens[comma - 1].end(), right});
    edits.push_back({body.tokens[comma + 1].begin, body.tokens[end].end(), left});
  }
}

}  // namespace

void guard(const FunctionBody& body, Edits& edits) {
  for (const std::vector<Statement>& block : body.blocks()) {
    for (std::size_t i = 1; i < block.size(); ++i) {
      const Statement& left = block[i - 1];
      const Statement& right = block[i];
      const bool moves_down =
          is_guard(body, left) && !is_jump(body, right.first) && !has_no_effect(body, right);
      const bool moves_up = is_guard(body, right) && !has_no_effect(body, left);
      if ((moves_down || moves_up) && !refuse_alike(body, left, right))
        swap_statements(body, left, right, edits);
    }
  }
}

void early(const FunctionBody& body, Edits& edits) {
  for (const std::vector<Statement>& block : body.blocks()) {
    if (block.size() < 2) continue;
    const std::size_t first = block.front().first;
    const bool is_whole = first == 0;
    const bool is_of_loop =
        !is_whole && body.is(first - 2, ")") && is_loop(body, body.opening(first - 2) - 1);
    if (!is_of_loop && !(is_whole && body.returns_nothing)) continue;
    for (std::size_t i = 1; i < block.size(); ++i) {
      const bool is_last = i + 1 == block.size();
      const bool is_simple = !is_compound(body.tokens[block[i].first]);
      if (is_last && is_simple) continue;  // see `statement`
      insert_before(body, block[i].first, is_whole ? "return; " : "continue; ", edits);
    }
  }
}

void once(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (!is_loop(body, i)) continue;
    const std::size_t first = body.closing(i + 1) + 1;
    const std::size_t last = body.end_of_statement(first);
    const bool is_block = body.is(first, "{");
    if (is_block && last > first + 1) {
      const Statement end = body.statements_in(first).back();
      if (!is_jump(body, end.first)) insert_break(body, end, edits);
    }
    if (!is_block && !body.is(first, ";")) {
      edits.push_back({body.tokens[first].begin, body.tokens[last].end(),
                       "{ " + std::string(body.text(first, last)) + " break; }"});
    }
    if (body.is(i, "for")) only_last(body, i, edits);
  }
}

void lifetime(const FunctionBody& body, Edits& edits) {
  for (const std::size_t first : body.statements()) {
    if (body.is(first, "static") || body.is(first, "const") || body.is(first, "constexpr"))
      continue;
    const std::size_t end = body.find(first, body.tokens.size() - 1, ";");
    const std::size_t name = end < body.tokens.size() ? declared_name(body, {first, end}) : 0;
    if (name == 0) continue;
    const bool is_number = name + 3 == end && is_literal(body.tokens[name + 2]);
    if (name + 1 == end || is_number) insert_before(body, first, "static ", edits);
  }
}

void refusal(const FunctionBody& body, Edits& edits) {
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    if (!body.is(i, "KV_REQUIRE")) continue;
    const std::size_t last = body.closing(i + 1) - 1;
    const std::size_t first = body.find(i + 2, last, ",") + 1;
    leave_out_operands(body, first, last, edits);
    leave_out_bounds(body, first, last, edits);
  }
}

}  // namespace kv::grader::mutate
