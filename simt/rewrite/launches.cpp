#include <algorithm>
#include <array>

#include "simt/rewrite/code.h"

namespace kv::simt {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// "return ::k<<<" launches k: what may stand in front of an expression is no part of it.
bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords = {"return", "else", "do", "throw"};
  return std::ranges::find(kWords, word) != kWords.end();
}

int num_closed(std::string_view symbol) {
  if (symbol == "<") return -1;
  if (symbol == ">>>") return 3;
  return symbol == ">" ? 1 : 0;
}

// From the ">" of template arguments back to their "<".
std::size_t template_begin(const Code& code, std::size_t i) {
  int depth = 0;
  for (; i < code.size(); --i) {
    if (code.text(i) == ")" || code.text(i) == "]") {
      i = code.matching_bracket(i, -1);
      if (i == code.size()) break;
    }
    depth += num_closed(code.text(i));
    if (depth == 0) return i;
  }
  return kNone;
}

// The first token of the expression that ends at `last`: ns::kernel, kernel<T, 4>, kernels[i],
// (wide ? a : b). kNone if there is none.
std::size_t expression_begin(const Code& code, std::size_t last) {
  std::size_t i = last;
  if (num_closed(code.text(i)) > 0) {
    i = template_begin(code, i) - 1;
  } else if (code.text(i) == ")" || code.text(i) == "]") {
    const std::size_t open = code.matching_bracket(i, -1);
    if (open == code.size()) return kNone;
    const bool continues = code.is_word(open - 1) || num_closed(code.text(open - 1)) > 0;
    if (!continues || is_keyword(code.text(open - 1))) return open;
    return expression_begin(code, open - 1);
  }
  if (!code.is_word(i) || is_keyword(code.text(i))) return kNone;
  const std::string_view joint = code.text(i - 1);
  if (joint != "::" && joint != "." && joint != "->") return i;
  const bool is_global = joint == "::" && !code.is_word(i - 2) && num_closed(code.text(i - 2)) == 0;
  const std::size_t outer = is_global ? kNone : expression_begin(code, i - 2);
  return outer == kNone ? i - 1 : outer;
}

// The ">>>" of the launch that opens at `open`. Why the last one before the end of the statement:
// "first<A<B<C>>>(n)" may stand among the arguments of <<< >>>, too.
std::size_t launch_end(const Code& code, std::size_t open) {
  std::size_t end = kNone;
  for (std::size_t i = open + 1; i < code.size(); ++i) {
    const std::string_view text = code.text(i);
    if (text == ";" || text == "<<<" || text == ")" || text == "]" || text == "}") break;
    if (text == ">>>" && (end == kNone || code.text(i + 1) == "(")) end = i;
    if (text == "(" || text == "[" || text == "{") i = code.matching_bracket(i, 1);
  }
  return end;
}

}  // namespace

void rewrite_launches(Code& code) {
  for (std::size_t open = 0; open < code.size(); ++open) {
    if (code.text(open) != "<<<" || code.text(open - 1) == "operator") continue;
    const std::size_t begin = expression_begin(code, open - 1);
    if (begin == kNone) code.refuse(open, "no kernel stands before <<<; write kernel<<<...>>>()");
    const std::size_t end = launch_end(code, open);
    if (end == kNone) {
      code.refuse(open, "this <<< has no >>>; write kernel<<<blocks, threads>>>(arguments)");
    }
    if (end == open + 1) {
      code.refuse(open, "<<<>>> is empty; write how many blocks, and how many threads in each");
    }
    if (code.text(end + 1) != "(") {
      code.refuse(end, "no arguments follow >>>; write () if the kernel takes none");
    }
    code.insert_before(begin, "KV_SIMT_LAUNCH(");
    code.replace(open, ").on(");
    code.replace(end, ")");
  }
}

}  // namespace kv::simt
