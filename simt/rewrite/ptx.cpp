#include "simt/rewrite/ptx.h"

#include <algorithm>

#include "base/text/text.h"
#include "simt/rewrite/ptx_statement.h"

namespace kv::simt {
namespace {

using grader::join;

// An instruction that computes one register. $1 is the first source, with the instruction's type.
struct Rule {
  std::string_view operation;  // cvt: with the type of the result; setp: with the comparison
  std::string_view types;
  std::string_view modifiers;  // that change nothing, or only the last bits
  std::string_view expression;
};

constexpr std::string_view kFloats = "f16 bf16 f16x2 bf16x2 f32 f64";
constexpr std::string_view kIntegers = "s32 u32 s64 u64";
constexpr std::string_view kBits = "b16 b32 b64";
constexpr std::string_view kCompared = "b32 b64 s32 u32 s64 u64 f32 f64";

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
    {"cvt.u32", "u64", "", "static_cast<std::uint32_t>($1)"},
    {"cvt.u64", "u32", "", "static_cast<std::uint64_t>($1)"},
    {"cvt.f32", "f16 bf16", "ftz", "float($1)"},
    {"cvt.f16", "f32", "rn", "__half($1)"},
    {"cvt.bf16", "f32", "rn", "__nv_bfloat16($1)"},
    {"cvt.f16x2", "f32", "rn", "__half2(__half($2), __half($1))"},
    {"cvt.bf16x2", "f32", "rn", "__nv_bfloat162(__nv_bfloat16($2), __nv_bfloat16($1))"},
    {"setp.eq", kCompared, "", "$1 == $2"},
    {"setp.ne", kCompared, "", "$1 != $2"},
    {"setp.lt", kCompared, "", "$1 < $2"},
    {"setp.le", kCompared, "", "$1 <= $2"},
    {"setp.gt", kCompared, "", "$1 > $2"},
    {"setp.ge", kCompared, "", "$1 >= $2"},
    {"mov", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "", "$1"},
};

const Rule* rule_of(const Statement& statement) {
  const Words& parts = statement.parts();
  if (parts.size() < 2) return nullptr;
  const bool has_two = (parts[0] == "cvt" || parts[0] == "setp") && parts.size() > 2;
  const std::string operation = parts[0] + (has_two ? "." + parts[parts.size() - 2] : "");
  const auto fits = [&](const Rule& rule) {
    return rule.operation == operation && has_word(rule.types, statement.type()) &&
           statement.has_only(rule.modifiers, 1, has_two ? 2 : 1);
  };
  const auto* const rule = std::ranges::find_if(kRules, fits);
  return rule == std::end(kRules) ? nullptr : rule;
}

// "$1 + $2" with the values of the sources.
std::string with_values(std::string_view expression, const Statement& statement) {
  std::string cpp;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '$') {
      cpp += expression[i];
    } else {
      cpp += statement.typed(static_cast<std::size_t>(expression[++i] - '0'));
    }
  }
  return cpp;
}

std::string pack_or_unpack(const Statement& statement) {
  if (statement.num_operands() != 2) statement.refuse();
  const bool packs = statement.operand(1).starts_with('{');
  const Words whole = statement.registers(packs ? 0 : 1);
  const Words parts = statement.registers(packs ? 1 : 0);
  if (whole.size() != 1 || (parts.size() != 2 && parts.size() != 4)) statement.refuse();
  const std::string part = parts.size() == 4 ? "b16" : statement.type() == "b64" ? "b32" : "b16";
  statement.expect(packs ? 0 : 1, statement.type());
  statement.expect(packs ? 1 : 0, part);
  return std::string("ptx::") + (packs ? "pack" : "unpack") + "<" + cpp_type(statement.type()) +
         ">(" + whole.front() + ", " + join(parts, ", ") + ");";
}

// bar.sync %0, %1; barrier.arrive; bar.warp.sync
std::string barrier_statement(const Statement& statement) {
  Words parts = statement.parts();
  if (parts[0] != "bar" && parts[0] != "barrier") return "";
  std::erase(parts, "cta");
  std::erase(parts, "aligned");
  if (parts == Words{"bar", "warp", "sync"})
    return "__syncwarp(" + statement.value(0, "unsigned") + ");";
  const bool waits = parts.back() == "sync";
  if (parts.size() != 2 || (!waits && parts.back() != "arrive")) statement.refuse();
  const bool is_counted = statement.num_operands() > 1;
  statement.expect_from(0, "b32");
  return std::string("::kv::simt::") + (waits ? "wait_at_barrier(" : "arrive_at_barrier(") +
         statement.value(0, "unsigned") + ", " +
         (is_counted ? statement.value(1, "unsigned") : "0") + ");";
}

// Which registers the instruction takes.
void expect_registers(const Statement& statement) {
  const Words& parts = statement.parts();
  const std::string type = statement.type();
  if (parts[0] == "cvt" && parts.size() > 2) {
    statement.expect(0, parts[parts.size() - 2], Width::kSameOrMore);
    return statement.expect_from(1, type, Width::kSameOrMore);
  }
  const bool is_shift = parts[0] == "shl" || parts[0] == "shr";
  statement.expect(0, parts[0] == "setp" ? "pred" : type);
  statement.expect(1, type);
  statement.expect_from(2, is_shift ? "u32" : type);
}

// A statement that computes one register.
std::string calculation(const Statement& statement) {
  const bool is_mov = statement.parts()[0] == "mov" && statement.parts().size() == 2;
  if (is_mov && statement.has_vector()) return pack_or_unpack(statement);
  const Rule* const rule = rule_of(statement);
  if (rule == nullptr) statement.refuse();
  expect_registers(statement);
  return statement.registers(0).front() + " = ptx::bits(" +
         with_values(rule->expression, statement) + ");";
}

std::string cpp_of(const Statement& statement) {
  for (const auto kind : {memory_statement, matrix_statement, barrier_statement}) {
    const std::string cpp = kind(statement);
    if (!cpp.empty()) return cpp;
  }
  return calculation(statement);
}

}  // namespace

std::string ptx_to_cpp(std::string_view text, const std::vector<std::string>& operand_types) {
  Registers registers{operand_types, {}, {}};
  std::string cpp;
  for (std::string one : split(text, ';')) {
    if (one.starts_with('{'))
      one = one.substr(std::min(one.find_first_not_of("{ \t\n"), one.size()));
    if (one.empty() || one == "}") continue;
    if (one.starts_with(".reg .")) {
      const std::string list = one.substr(std::min(one.find(' ', 5), one.size()));
      for (const std::string& name : split(list, ',')) registers.names.push_back(name);
      registers.types.resize(registers.names.size(), one.substr(6, one.find(' ', 6) - 6));
      if (registers.names.size() > kMostNames) throw UnknownPtx(one);
    } else {
      const Statement statement(one, registers);
      cpp += statement.guarded(cpp_of(statement)) + " ";
    }
  }
  return cpp;
}

}  // namespace kv::simt
