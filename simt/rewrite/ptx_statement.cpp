#include "simt/rewrite/ptx_statement.h"

#include <algorithm>
#include <map>

#include "base/text/text.h"

namespace kv::simt {
namespace {

using grader::join;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  const std::size_t last = text.find_last_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, last + 1 - begin);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// %0
bool is_operand(const std::string& name) {
  return name.size() > 1 && name.size() < 4 && name[0] == '%' &&
         std::all_of(name.begin() + 1, name.end(), is_digit);
}

// "u32" has 32 bits, "f16x2" too.
unsigned bits_of(const std::string& type) {
  if (type.ends_with("x2")) return 2 * bits_of(type.substr(0, type.size() - 2));
  const std::size_t digits = type.find_first_of("0123456789");
  return digits == type.npos ? 1 : static_cast<unsigned>(std::stoul(type.substr(digits)));
}

bool is_integer(const std::string& type) {
  return type.starts_with('u') || type.starts_with('s');
}

// Why the instruction takes no register of this type; empty: it takes it.
std::string mismatch(const std::string& found, const std::string& expected, Width width) {
  const unsigned bits = bits_of(found), wanted = bits_of(expected);
  if ((found == "pred") != (expected == "pred"))
    return found == "pred" ? "is a predicate" : "is no predicate";
  const bool is_wide_enough = width == Width::kSameOrMore && bits > wanted;
  if (bits != wanted && !is_wide_enough)
    return "has " + std::to_string(bits) + " bits and not " + std::to_string(wanted);
  return found.starts_with('f') && is_integer(expected) ? "is for floats" : "";
}

// At commas outside of braces.
Words operands_of(const std::string& text) {
  Words operands(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      operands.emplace_back();
    } else if (c != ' ' && c != '\t') {
      operands.back() += c;
    }
  }
  return operands;
}

}  // namespace

Words split(std::string_view text, char separator) {
  Words parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

bool has_word(std::string_view words, const std::string& word) {
  const Words all = split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

std::string cpp_type(const std::string& ptx_type) {
  static const std::map<std::string, std::string> types = {
      {"f16", "__half"},        {"bf16", "__nv_bfloat16"},
      {"f16x2", "__half2"},     {"bf16x2", "__nv_bfloat162"},
      {"f32", "float"},         {"f64", "double"},
      {"s8", "std::int8_t"},    {"s16", "std::int16_t"},
      {"s32", "std::int32_t"},  {"s64", "std::int64_t"},
      {"u8", "std::uint8_t"},   {"u16", "std::uint16_t"},
      {"u32", "std::uint32_t"}, {"u64", "std::uint64_t"},
      {"b8", "std::uint8_t"},   {"b16", "std::uint16_t"},
      {"b32", "std::uint32_t"}, {"b64", "std::uint64_t"}};
  const auto found = types.find(ptx_type);
  return found == types.end() ? "" : found->second;
}

std::string Registers::type_of(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return types[static_cast<std::size_t>(found - names.begin())];
  if (!is_operand(name)) return "";
  const auto number = static_cast<std::size_t>(std::stoul(name.substr(1)));
  return number < operand_types.size() ? operand_types[number] : "";
}

Statement::Statement(const std::string& text, const Registers& registers)
    : text_(text), registers_(registers) {
  std::string bare = text;
  if (text.starts_with('@')) {
    const std::size_t end = std::min(text.find(' '), text.size());
    guard_ = text.substr(0, end);
    bare = trimmed(text.substr(end));
  }
  const std::size_t space = bare.find_first_of(" \t");
  parts_ = split(bare.substr(0, space), '.');
  if (space != std::string::npos) operands_ = operands_of(bare.substr(space));
}

std::string Statement::guarded(const std::string& cpp) const {
  if (guard_.empty()) return cpp;
  const bool is_negated = guard_.starts_with("@!");
  return std::string("if (") + (is_negated ? "!" : "") +
         register_of(guard_.substr(is_negated ? 2 : 1)) + ") { " + cpp + " }";
}

bool Statement::has_part(const std::string& part) const {
  return std::ranges::find(parts_, part) != parts_.end();
}

bool Statement::has_only(std::string_view list, std::size_t num_first, std::size_t num_last) const {
  return parts_.size() >= num_first + num_last &&
         std::all_of(parts_.begin() + static_cast<std::ptrdiff_t>(num_first),
                     parts_.end() - static_cast<std::ptrdiff_t>(num_last),
                     [&](const std::string& part) { return has_word(list, part); });
}

const std::string& Statement::operand(std::size_t number) const {
  if (number >= operands_.size()) refuse();
  return operands_[number];
}

bool Statement::has_vector() const {
  return std::ranges::any_of(operands_, [](const auto& text) { return text.starts_with('{'); });
}

std::string Statement::register_of(const std::string& name) const {
  if (is_operand(name)) return "r[" + name.substr(1) + "]";
  const Words& names = registers_.names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) refuse();
  return "r[" + std::to_string(kMostOperands + static_cast<std::size_t>(found - names.begin())) +
         "]";
}

void Statement::expect(std::size_t number, const std::string& type, Width width) const {
  std::string text = operand(number);
  std::erase_if(text, [](char c) { return c == '{' || c == '}' || c == '[' || c == ']'; });
  for (const std::string& name : split(text, ',')) {
    const std::string found = registers_.type_of(name);
    const std::string why = found.empty() ? "" : mismatch(found, type, width);
    if (!why.empty())
      throw MismatchedPtx("nvcc refuses this " + join(parts_, ".") + ": " + name + " " + why);
  }
}

void Statement::expect_from(std::size_t first, const std::string& type, Width width) const {
  for (std::size_t i = first; i < num_operands(); ++i) expect(i, type, width);
}

Words Statement::registers(std::size_t number) const {
  std::string text = operand(number);
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  Words found;
  for (const std::string& name : split(text, ',')) found.push_back(register_of(name));
  return found;
}

std::string Statement::one_register(std::size_t number) const {
  return register_of(operand(number));
}

std::string Statement::value(std::size_t number, const std::string& type) const {
  const std::string& text = operand(number);
  if (type.empty() || text.empty()) refuse();
  if (!is_digit(text[text.starts_with('-') ? 1 : 0]))
    return "ptx::as<" + type + ">(" + register_of(text) + ")";
  if (text.find('.') != text.npos) return "static_cast<" + type + ">(" + text + ")";
  const bool is_bits = text.starts_with("0f") || text.starts_with("0d");  // 0f3F800000 is 1
  if (!is_bits && (type == "float" || type == "double")) refuse();
  return "ptx::as<" + type + ">(" + (is_bits ? "0x" + text.substr(2) : text) + ")";
}

// %laneid, or %tid.x
std::string Statement::special_register(const std::string& name) const {
  static constexpr std::string_view kFunctions =
      "laneid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge warpid nwarpid smid "
      "nsmid "
      "clock clock_hi clock64 globaltimer globaltimer_lo globaltimer_hi";
  static const std::map<std::string, std::string> vectors = {
      {"tid", "threadIdx"}, {"ntid", "blockDim"}, {"ctaid", "blockIdx"}, {"nctaid", "gridDim"}};
  if (has_word(kFunctions, name)) {
    expect_special(name, has_word("clock64 globaltimer", name) ? "u64" : "u32");
    return "ptx::" + name + "()";
  }
  const std::size_t dot = std::min(name.find('.'), name.size());
  const auto vector = vectors.find(name.substr(0, dot));
  if (vector == vectors.end() || !has_word(".x .y .z", name.substr(dot))) refuse();
  expect_special(name, type() == "u16" ? "u16" : "u32");
  return "::" + vector->second + name.substr(dot);
}

void Statement::expect_special(const std::string& name, const std::string& type) const {
  const bool is_mov = parts_[0] == "mov" && !this->type().starts_with('f');
  if (is_mov && bits_of(this->type()) == bits_of(type)) return;
  throw MismatchedPtx("nvcc refuses this " + join(parts_, ".") + ": it takes mov." + type +
                      " to read %" + name);
}

std::string Statement::typed(std::size_t number) const {
  const std::string& text = operand(number);
  const std::size_t name = std::min(text.find_first_not_of('%'), text.size());
  if (name == 0 || is_digit(text[name])) return value(number, cpp_type(type()));
  return special_register(text.substr(name));
}

std::string Statement::address(std::size_t number) const {
  const std::string& text = operand(number);
  if (!text.starts_with('[') || !text.ends_with(']')) refuse();
  const std::string inner = text.substr(1, text.size() - 2);
  const std::size_t plus = std::min(inner.find('+'), inner.size());
  return register_of(inner.substr(0, plus)) + inner.substr(plus);
}

std::string Statement::shared_address(std::size_t number) const {
  return "ptx::in_shared(" + address(number) + ")";
}

}  // namespace kv::simt
