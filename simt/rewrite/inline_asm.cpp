#include "simt/rewrite/device_code.h"
#include "simt/rewrite/ptx.h"
#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

// What the literal "a\n" stands for.
std::string content(std::string_view literal) {
  std::string text;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    const bool is_space = literal[i] == '\\' && (literal[i + 1] == 'n' || literal[i + 1] == 't');
    text += is_space ? ' ' : literal[i];
    if (is_space) ++i;
  }
  return text;
}

// "=r" is written, "+r" is read and written, "r" is read.
std::string argument_kind(std::string_view constraint) {
  if (constraint.starts_with("\"=")) return "::kv::simt::ptx::out";
  return constraint.starts_with("\"+") ? "::kv::simt::ptx::inout" : "::kv::simt::ptx::in";
}

// The operands, from the first ":" on; the third one begins what the text changes besides.
void rewrite_operands(EditedSource& code, std::size_t i, std::size_t close) {
  int num_colons = 0;
  for (; i < close; ++i) {
    const std::string_view text = code.text(i);
    if (text == ":" || text == "::") {
      num_colons += static_cast<int>(text.size());
      code.replace(i, "");
    } else if (num_colons > 2 || text == ",") {
      code.replace(i, "");
    } else if (text.starts_with('"') && code.text(i + 1) == "(") {
      code.replace(i, ", " + argument_kind(text));
      i = code.matching_bracket(i + 1, 1);
    } else {
      code.refuse(i, "simt reads operands of asm as \"=r\"(c) and \"r\"(a)");
    }
  }
}

// The tokens of [begin, end) become `text`.
void replace_tokens(EditedSource& code,
                    std::size_t begin,
                    std::size_t end,
                    const std::string& text) {
  for (std::size_t i = begin; i < end; ++i) code.replace(i, i == begin ? text : "");
}

}  // namespace

bool rewrite_asm(EditedSource& code, std::size_t i) {
  std::size_t open = i + 1;
  while (code.is_word(open)) ++open;  // volatile
  const std::size_t close = code.matching_bracket(open, 1);
  if (code.text(open) != "(" || close == code.size() || code.text(open + 1) == "\"\"") return false;
  std::size_t operands = open + 1;
  std::string text;
  for (; code.text(operands).starts_with('"'); ++operands) text += content(code.text(operands));
  const bool is_whole = operands == close || code.text(operands).starts_with(':');
  try {
    if (!is_whole) throw UnknownPtx("that a macro writes");
    const std::string cpp = ptx_to_cpp(text);
    replace_tokens(code, i, open, "::kv::simt::ptx::run");
    replace_tokens(code, open + 1, operands,
                   "[](std::uint64_t* r) { namespace ptx = ::kv::simt::ptx; " + cpp + "}");
    rewrite_operands(code, operands, close);
  } catch (const UnknownPtx&) {
    // Why not refused here: it may be in a part of the file that is not compiled.
    replace_tokens(code, i, open, "KV_SIMT_ASM");
    return false;
  }
  return true;
}

}  // namespace kv::simt
