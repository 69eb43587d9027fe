// The operators that work on whole statements: at another place, with another lifetime, run once.

#include <algorithm>
#include <array>

#include "grader/program/mutate/operators.h"

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

// `T a = b.c;`: it calls nothing, so a check before it or behind it is the same.
bool only_reads(const FunctionBody& body, const Statement& statement) {
  const std::size_t assigned = body.find(statement.first, statement.last, "=");
  const bool is_declaration =
      assigned < statement.last && assigned > statement.first + 1 &&
      body.tokens[statement.first].kind == TokenKind::kWord && !body.is(statement.first + 1, ".") &&
      !body.is(statement.first + 1, "->") && !body.is(statement.first + 1, "[");
  const auto calls = [](const Token& token) { return token.is("(") || token.is("++"); };
  const auto from = body.tokens.begin() + static_cast<std::ptrdiff_t>(statement.first);
  const auto to = body.tokens.begin() + static_cast<std::ptrdiff_t>(statement.last);
  return is_declaration && std::none_of(from, to, calls);
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

// Why not at the "}" behind it: the ledger quotes the changed lines.
void insert_break(const FunctionBody& body, const Statement& before, Edits& edits) {
  const std::string statement(body.text(before.first, before.last));
  edits.push_back(
      {body.tokens[before.first].begin, body.tokens[before.last].end(), statement + " break;"});
}

}  // namespace

void guard(const FunctionBody& body, Edits& edits) {
  for (const std::vector<Statement>& block : body.blocks()) {
    for (std::size_t i = 1; i < block.size(); ++i) {
      const bool moves_down = is_guard(body, block[i - 1]) && !is_jump(body, block[i].first) &&
                              !only_reads(body, block[i]);
      const bool moves_up = is_guard(body, block[i]) && !only_reads(body, block[i - 1]);
      if (moves_down || moves_up) swap_statements(body, block[i - 1], block[i], edits);
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
  constexpr std::array<std::string_view, 8> kNoType = {"return", "break", "continue", "using",
                                                       "static", "throw", "const",    "constexpr"};
  for (const std::size_t first : body.statements()) {
    const Token& token = body.tokens[first];
    if (token.kind != TokenKind::kWord || std::ranges::count(kNoType, token.text) > 0) continue;
    const std::size_t end = body.find(first, body.tokens.size() - 1, ";");
    const std::size_t assigned = body.find(first, end, "=");
    const std::size_t name = std::min(assigned, end) - 1;
    const bool is_declared = name > first && body.tokens[name].kind == TokenKind::kWord &&
                             (body.is(name - 1, ">") || body.is(name - 1, "*") ||
                              body.tokens[name - 1].kind == TokenKind::kWord);
    const bool is_number = assigned + 2 == end && is_literal(body.tokens[assigned + 1]);
    if (is_declared && (assigned > end || is_number)) insert_before(body, first, "static ", edits);
  }
}

}  // namespace kv::grader::mutate
