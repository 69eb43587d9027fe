// asm("...") of device code: its text becomes a function on registers, and its operands the
// arguments of a call.

#include <map>

#include "simt/rewrite/device_code.h"
#include "simt/rewrite/ptx.h"

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

// The types of the operands' registers. Of an "n" there is none.
std::vector<std::string> operand_types(const EditedSource& code, std::size_t i, std::size_t close) {
  static const std::map<char, std::string> types = {
      {'h', "b16"}, {'r', "b32"}, {'l', "b64"}, {'f', "f32"}, {'d', "f64"}};
  std::vector<std::string> found;
  for (; i < close; ++i) {
    const std::string_view text = code.text(i);
    if (!text.starts_with('"') || code.text(i + 1) != "(") continue;
    const auto type = types.find(text.size() > 2 ? text[text.size() - 2] : ' ');
    found.push_back(type == types.end() ? "" : type->second);
    i = code.matching_bracket(i + 1, 1);
  }
  return found;
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

// What replaces the text of PTX: code, or an error where it is compiled.
std::string function_of(const std::string& text, const std::vector<std::string>& types) {
  try {
    return "[](std::uint64_t* r) { namespace ptx = ::kv::simt::ptx; " + ptx_to_cpp(text, types) +
           "}";
  } catch (const MismatchedPtx& mismatch) {
    return "[](auto* r) { static_assert(sizeof(*r) == 0, \"" + std::string(mismatch.what()) +
           "\"); }";
  }
}

}  // namespace

bool rewrite_asm(EditedSource& code, std::size_t i, bool is_device) {
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
    const std::string function = function_of(text, operand_types(code, operands, close));
    replace_tokens(code, i, open, "::kv::simt::ptx::run");
    replace_tokens(code, open + 1, operands, function);
    rewrite_operands(code, operands, close);
  } catch (const UnknownPtx&) {
    // Why not refused here: it may be in a part of the file that is not compiled.
    if (is_device) replace_tokens(code, i, open, "KV_SIMT_ASM");
    return false;
  }
  return true;
}

}  // namespace kv::simt
