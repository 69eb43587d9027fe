// What the lanes of a warp do together with matrices: ldmatrix and mma.

#include <algorithm>

#include "base/text/text.h"
#include "simt/rewrite/ptx_statement.h"

namespace kv::simt {
namespace {

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32: the types of D, A, B and C.
struct Product {
  std::string_view shape;
  std::string_view factors, sums;  // types of A and B, of C and D
};
constexpr Product kProducts[] = {
    {"m16n8k16", "f16", "f16 f32"}, {"m16n8k16", "bf16", "f32"},  {"m16n8k8", "f16", "f16 f32"},
    {"m16n8k8", "bf16", "f32"},     {"m16n8k8", "tf32", "f32"},   {"m16n8k4", "tf32", "f32"},
    {"m16n8k32", "s8 u8", "s32"},   {"m16n8k16", "s8 u8", "s32"}, {"m8n8k16", "s8 u8", "s32"},
    {"m8n8k4", "f64", "f64"},
};

constexpr std::string_view kLoadParts = "sync aligned m8n8 x1 x2 x4 trans shared shared::cta";

// "16, 8, 16" for m16n8k16
std::string numbers_of(std::string shape) {
  shape.erase(0, 1);
  for (const char letter : {'n', 'k'}) shape.replace(shape.find(letter), 1, ", ");
  return shape;
}

std::string element_type(const std::string& type) {
  return type == "tf32" ? "ptx::tf32" : cpp_type(type);
}

std::string addresses_of(const Words& registers) {
  std::string list;
  for (const std::string& one : registers) list += (list.empty() ? "&" : ", &") + one;
  return list;
}

std::string product(const Statement& statement) {
  Words parts = statement.parts();
  const bool is_saturated = std::erase(parts, "satfinite") > 0;
  if (parts.size() != 10 || parts[1] != "sync" || parts[2] != "aligned" || parts[4] != "row" ||
      parts[5] != "col" || statement.num_operands() != 4) {
    statement.refuse();
  }
  const auto is_it = [&](const Product& product) {
    return product.shape == parts[3] && has_word(product.sums, parts[6]) &&
           has_word(product.factors, parts[7]) && has_word(product.factors, parts[8]) &&
           has_word(product.sums, parts[9]);
  };
  if (std::ranges::none_of(kProducts, is_it)) statement.refuse();
  statement.expect_from(0, parts[6] == "f64" ? "b64" : "b32");
  std::string types;
  for (std::size_t i = 6; i < parts.size(); ++i) types += ", " + element_type(parts[i]);
  std::string sources;
  for (std::size_t i = 1; i < 4; ++i)
    sources += ", {" + grader::join(statement.registers(i), ", ") + "}";
  return "ptx::Mma<" + numbers_of(parts[3]) + types + ">::run({" +
         addresses_of(statement.registers(0)) + "}" + sources + ", " +
         (is_saturated ? "true" : "false") + ");";
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4]
std::string load(const Statement& statement) {
  const bool is_known = statement.num_operands() == 2 && statement.has_part("sync") &&
                        statement.has_part("m8n8") && statement.type() == "b16" &&
                        statement.has_only(kLoadParts, 1, 1);
  if (!is_known) statement.refuse();
  const std::size_t num_matrices = statement.has_part("x4") ? 4 : statement.has_part("x2") ? 2 : 1;
  const Words registers = statement.registers(0);
  if (registers.size() != num_matrices) statement.refuse();
  statement.expect(0, "b32");
  return std::string("ptx::load_matrices<") + (statement.has_part("trans") ? "true" : "false") +
         ">(" + statement.shared_address(1) + ", {" + addresses_of(registers) + "});";
}

}  // namespace

std::string matrix_statement(const Statement& statement) {
  if (statement.parts()[0] == "mma") return product(statement);
  if (statement.parts()[0] == "ldmatrix") return load(statement);
  return "";
}

}  // namespace kv::simt
