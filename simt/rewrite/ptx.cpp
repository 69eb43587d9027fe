#include "simt/rewrite/ptx.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "common/text.h"

namespace kv::simt {
namespace {

using grader::join;
using Words = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  const std::size_t last = text.find_last_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, last + 1 - begin);
}

// The parts between separators, without white space around them.
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

// An instruction that computes one register. $1 is the first source, with the instruction's type.
struct Rule {
  std::string_view operation;  // cvt: with the type of the result
  std::string_view types;
  std::string_view modifiers;  // that change nothing, or only the last bits
  std::string_view expression;
};

constexpr std::string_view kFloats = "f16 bf16 f16x2 bf16x2 f32 f64";
constexpr std::string_view kIntegers = "s32 u32 s64 u64";
constexpr std::string_view kBits = "b16 b32 b64";

constexpr Rule kRules[] = {
    {"add", kFloats, "rn ftz", "$1 + $2"},
    {"sub", kFloats, "rn ftz", "$1 - $2"},
    {"mul", kFloats, "rn ftz", "$1 * $2"},
    {"fma", kFloats, "rn ftz", "ptx::fma($1, $2, $3)"},
    {"min", "f16 bf16 f32 f64", "ftz", "ptx::min($1, $2)"},
    {"max", "f16 bf16 f32 f64", "ftz", "ptx::max($1, $2)"},
    {"neg", kFloats, "ftz", "-$1"},
    {"ex2", "f32", "approx ftz", "exp2f($1)"},
    {"lg2", "f32", "approx ftz", "log2f($1)"},
    {"rcp", "f32", "approx ftz rn", "1.0f / $1"},
    {"sqrt", "f32", "approx ftz rn", "sqrtf($1)"},
    {"rsqrt", "f32", "approx ftz", "1.0f / sqrtf($1)"},
    {"tanh", "f32", "approx", "tanhf($1)"},
    {"add", kIntegers, "", "ptx::wrapping($1) + ptx::wrapping($2)"},
    {"sub", kIntegers, "", "ptx::wrapping($1) - ptx::wrapping($2)"},
    {"mul", kIntegers, "lo", "ptx::wrapping($1) * ptx::wrapping($2)"},
    {"mad", kIntegers, "lo", "ptx::wrapping($1) * ptx::wrapping($2) + ptx::wrapping($3)"},
    {"min", kIntegers, "", "ptx::min($1, $2)"},
    {"max", kIntegers, "", "ptx::max($1, $2)"},
    {"and", kBits, "", "$1 & $2"},
    {"or", kBits, "", "$1 | $2"},
    {"xor", kBits, "", "$1 ^ $2"},
    {"not", kBits, "", "~$1"},
    {"shl", kBits, "", "ptx::shift_left($1, $2)"},
    {"shr", "u32 u64 b32 b64", "", "ptx::shift_right($1, $2)"},
    {"lop3", "b32", "", "ptx::lop3($1, $2, $3, $4)"},
    {"cvt.f32", "f16 bf16", "ftz", "float($1)"},
    {"cvt.f16", "f32", "rn", "__half($1)"},
    {"cvt.bf16", "f32", "rn", "__nv_bfloat16($1)"},
    {"cvt.f16x2", "f32", "rn", "__half2(__half($2), __half($1))"},
    {"cvt.bf16x2", "f32", "rn", "__nv_bfloat162(__nv_bfloat16($2), __nv_bfloat16($1))"},
    {"mov", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "", "$1"},
};

constexpr std::string_view kAccessed = "u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 f32 f64";
constexpr std::string_view kAccessModifiers =
    "global nc volatile v2 v4 L1::no_allocate L1::evict_first L1::evict_last L1::evict_normal "
    "L2::64B L2::128B L2::256B";

const std::map<std::string, std::string>& cpp_types() {
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
  return types;
}

bool has_word(std::string_view words, const std::string& word) {
  const Words all = split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// simt/include/simt/ptx.h has room for these: compilers take operands %0 to %29.
constexpr std::size_t kMostOperands = 30;
constexpr std::size_t kMostNames = 16;

// "ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4 + 16]"
class Statement {
 public:
  Statement(const std::string& text, Words& names) : text_(text), names_(names) {
    const std::size_t space = text.find_first_of(" \t");
    parts_ = split(text.substr(0, space), '.');
    if (space != std::string::npos) read_operands(text.substr(space));
  }

  std::string cpp() const {
    if (parts_[0] == "mov" && parts_.size() == 2 && has_vector()) return pack_or_unpack();
    if (parts_[0] == "ld" || parts_[0] == "st") return access();
    const Rule* const rule = find_rule();
    if (rule == nullptr || operands_.empty()) refuse();
    return registers(0).front() + " = ptx::bits(" + expression(rule->expression) + ");";
  }

 private:
  [[noreturn]] void refuse() const { throw UnknownPtx(text_); }

  // At commas outside of braces.
  void read_operands(const std::string& text) {
    int depth = 0;
    operands_.emplace_back();
    for (const char c : text) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == ',' && depth == 0) {
        operands_.emplace_back();
      } else if (c != ' ' && c != '\t') {
        operands_.back() += c;
      }
    }
  }

  bool has_part(const std::string& part) const {
    return std::ranges::find(parts_, part) != parts_.end();
  }
  std::string type() const { return parts_.back(); }
  std::string cpp_type() const {
    const auto found = cpp_types().find(type());
    if (found == cpp_types().end()) refuse();
    return found->second;
  }

  const Rule* find_rule() const {
    if (parts_.size() < 2) return nullptr;
    const bool is_cvt = parts_[0] == "cvt" && parts_.size() > 2;
    const std::string operation = parts_[0] + (is_cvt ? "." + parts_[parts_.size() - 2] : "");
    const std::span<const std::string> modifiers(parts_.begin() + 1,
                                                 parts_.end() - (is_cvt ? 2 : 1));
    const auto fits = [&](const Rule& rule) {
      return rule.operation == operation && has_word(rule.types, type()) &&
             std::ranges::all_of(modifiers,
                                 [&](const auto& part) { return has_word(rule.modifiers, part); });
    };
    const auto* const rule = std::ranges::find_if(kRules, fits);
    return rule == std::end(kRules) ? nullptr : rule;
  }

  // "$1 + $2" with the values of the sources.
  std::string expression(std::string_view rule) const {
    std::string cpp;
    for (std::size_t i = 0; i < rule.size(); ++i) {
      if (rule[i] != '$') {
        cpp += rule[i];
        continue;
      }
      const auto source = static_cast<std::size_t>(rule[++i] - '0');
      if (source >= operands_.size()) refuse();
      cpp += typed(source);
    }
    return cpp;
  }

  bool has_vector() const {
    return std::ranges::any_of(operands_, [](const auto& text) { return text.starts_with('{'); });
  }

  std::string register_of(const std::string& name) const {
    if (name.size() > 1 && name[0] == '%' && std::all_of(name.begin() + 1, name.end(), is_digit)) {
      return "r[" + name.substr(1) + "]";
    }
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) refuse();
    return "r[" + std::to_string(kMostOperands + static_cast<std::size_t>(found - names_.begin())) +
           "]";
  }

  Words registers(std::size_t operand) const {
    std::string text = operands_.at(operand);
    if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
    Words found;
    for (const std::string& name : split(text, ',')) found.push_back(register_of(name));
    return found;
  }

  // The value of a source.
  std::string typed(std::size_t operand) const {
    const std::string& text = operands_[operand];
    const std::size_t name = std::min(text.find_first_not_of('%'), text.size());
    if (name > 0 && !is_digit(text[name])) {
      static constexpr std::string_view kSpecial =
          "laneid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge";
      if (!has_word(kSpecial, text.substr(name))) refuse();
      return "ptx::" + text.substr(name) + "()";
    }
    const bool is_number = is_digit(text[text.starts_with('-') ? 1 : 0]);
    return "ptx::as<" + cpp_type() + ">(" + (is_number ? text : register_of(text)) + ")";
  }

  std::string pack_or_unpack() const {
    if (operands_.size() != 2) refuse();
    const bool packs = operands_[1].starts_with('{');
    const Words whole = registers(packs ? 0 : 1), parts = registers(packs ? 1 : 0);
    if (whole.size() != 1 || (parts.size() != 2 && parts.size() != 4)) refuse();
    return std::string("ptx::") + (packs ? "pack" : "unpack") + "<" + cpp_type() + ">(" +
           whole.front() + ", " + join(parts, ", ") + ");";
  }

  std::string access() const {
    const bool loads = parts_[0] == "ld";
    const bool is_known = operands_.size() == 2 && has_word(kAccessed, type()) &&
                          std::all_of(parts_.begin() + 1, parts_.end() - 1, [](const auto& part) {
                            return has_word(kAccessModifiers, part);
                          });
    std::string address = is_known ? operands_[loads ? 1 : 0] : "";
    if (!address.starts_with('[') || !address.ends_with(']')) refuse();
    address = address.substr(1, address.size() - 2);
    const std::size_t plus = std::min(address.find('+'), address.size());
    const Words values = registers(loads ? 0 : 1);
    const std::size_t num_values = has_part("v4") ? 4 : has_part("v2") ? 2 : 1;
    if (values.size() != num_values) refuse();
    return std::string("ptx::") + (loads ? "load" : "store") + "<" + cpp_type() + ">(" +
           register_of(address.substr(0, plus)) + address.substr(plus) + ", " + join(values, ", ") +
           ");";
  }

  std::string text_;
  Words parts_;  // of the opcode
  Words operands_;
  const Words& names_;
};

}  // namespace

std::string ptx_to_cpp(std::string_view text) {
  Words names;  // registers that the text declares itself
  std::string cpp;
  for (std::string statement : split(text, ';')) {
    if (statement.starts_with('{')) statement = trimmed(statement.substr(1));
    if (statement.empty() || statement == "}") continue;
    if (statement.starts_with(".reg .b") || statement.starts_with(".reg .f")) {
      const std::string list = statement.substr(statement.find(' ', 5));
      for (const std::string& name : split(list, ',')) names.push_back(name);
      if (names.size() > kMostNames) throw UnknownPtx(statement);
    } else {
      cpp += Statement(statement, names).cpp() + " ";
    }
  }
  return cpp;
}

}  // namespace kv::simt
