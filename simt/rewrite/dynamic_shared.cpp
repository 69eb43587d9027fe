#include "simt/rewrite/code.h"

namespace kv::simt {
namespace {

bool is_alignment(std::string_view word) {
  return word == "__align__" || word == "alignas" || word == "__attribute__";
}

// Behind extern, __shared__, volatile and alignments, in any order. Alignments are dropped: dynamic
// shared memory begins at a round address.
std::size_t after_specifiers(const Code& code, std::size_t i, bool& is_shared) {
  while (true) {
    if (is_alignment(code.text(i))) {
      i = code.matching_bracket(i + 1, 1);
    } else if (code.text(i) == "__shared__") {
      is_shared = true;
    } else if (code.text(i) != "extern" && code.text(i) != "volatile") {
      return i;
    }
    ++i;
  }
}

void rewrite_declaration(Code& code, std::size_t first, std::size_t type) {
  std::size_t open = type;
  while (open < code.size() && code.text(open) != "[" && code.text(open) != ";") ++open;
  const bool is_array = code.text(open) == "[" && code.text(open + 1) == "]";
  if (!is_array || !code.is_word(open - 1) || open - 1 == type) {
    code.refuse(first, "extern __shared__ declares an array of unknown size; write name[]");
  }
  std::size_t end = open + 2;
  while (code.text(end) == "[") end = code.matching_bracket(end, 1) + 1;
  if (code.text(end) != ";") {
    code.refuse(first, "extern __shared__ declares one array here; give each its own line");
  }
  for (std::size_t i = first; i < type; ++i) {
    if (code.text(i) != "volatile") code.replace(i, "");
  }
  code.insert_before(type, "auto* const " + std::string(code.text(open - 1)) + " = static_cast<");
  code.replace(open - 1, end == open + 2 ? "*" : "(*)");
  code.replace(open, "");
  code.replace(open + 1, "");
  code.insert_before(end, ">(::kv::simt::dynamic_shared())");
}

}  // namespace

void rewrite_dynamic_shared(Code& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != "extern") continue;
    bool is_shared = false;
    const std::size_t type = after_specifiers(code, i, is_shared);
    if (is_shared) rewrite_declaration(code, i, type);
  }
}

}  // namespace kv::simt
