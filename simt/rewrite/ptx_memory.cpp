// Loads, stores, asynchronous copies, and addresses of one kind as another.

#include "base/text/text.h"
#include "simt/rewrite/ptx_statement.h"

namespace kv::simt {
namespace {

constexpr std::string_view kAccessed = "u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64 f32 f64";
constexpr std::string_view kAccessModifiers =
    "global shared shared::cta nc volatile v2 v4 L1::no_allocate L1::evict_first L1::evict_last "
    "L1::evict_normal L2::64B L2::128B L2::256B";
constexpr std::string_view kCopyModifiers =
    "ca cg shared shared::cta global L2::64B L2::128B L2::256B";

std::string access(const Statement& statement) {
  const bool loads = statement.parts()[0] == "ld";
  const bool is_known = statement.num_operands() == 2 && has_word(kAccessed, statement.type()) &&
                        statement.has_only(kAccessModifiers, 1, 1);
  if (!is_known) statement.refuse();
  const Words values = statement.registers(loads ? 0 : 1);
  const std::size_t num_values = statement.has_part("v4") ? 4 : statement.has_part("v2") ? 2 : 1;
  if (values.size() != num_values) statement.refuse();
  const bool is_shared = statement.has_part("shared") || statement.has_part("shared::cta");
  const std::size_t place = loads ? 1 : 0;
  statement.expect(1 - place, statement.type(), Width::kSameOrMore);
  return std::string("ptx::") + (loads ? "load" : "store") + "<" + cpp_type(statement.type()) +
         ">(" + (is_shared ? statement.shared_address(place) : statement.address(place)) + ", " +
         grader::join(values, ", ") + ");";
}

// cp.async.ca.shared.global [%0], [%1], 16, %2: of 16 bytes, %2 are copied, the others become zero.
std::string copy(const Statement& statement) {
  const std::size_t num_operands = statement.num_operands();
  const bool is_known = statement.has_only(kCopyModifiers, 2, 0) &&
                        (statement.has_part("ca") || statement.has_part("cg")) &&
                        (num_operands == 3 || num_operands == 4);
  if (!is_known) statement.refuse();
  const std::string bytes = statement.value(2, "unsigned");
  statement.expect_from(2, "b32");
  const std::string num_read = num_operands == 4 ? statement.value(3, "unsigned") : bytes;
  return "ptx::copy_async(" + statement.shared_address(0) + ", " + statement.address(1) + ", " +
         bytes + ", " + num_read + ");";
}

std::string batches(const Statement& statement) {
  const std::string action = statement.parts()[2];
  if (action == "commit_group") return "::kv::simt::close_batch();";
  if (action == "wait_all") return "::kv::simt::close_batch(); ::kv::simt::wait_for_batches(0);";
  if (action == "wait_group")
    return "::kv::simt::wait_for_batches(" + statement.value(0, "unsigned") + ");";
  return copy(statement);
}

// cvta.to.shared.u64 %0, %1
std::string other_address(const Statement& statement) {
  const Words& parts = statement.parts();
  const bool is_known = parts.size() == 4 && parts[1] == "to" && statement.type() == "u64" &&
                        (parts[2] == "shared" || parts[2] == "global");
  if (!is_known) statement.refuse();
  statement.expect_from(0, statement.type());
  const std::string from = statement.one_register(1);
  const bool is_shared = parts[2] == "shared";
  return statement.one_register(0) + " = " + (is_shared ? "ptx::to_shared(" + from + ")" : from) +
         ";";
}

}  // namespace

std::string memory_statement(const Statement& statement) {
  const Words& parts = statement.parts();
  if (parts[0] == "ld" || parts[0] == "st") return access(statement);
  if (parts[0] == "cvta") return other_address(statement);
  if (parts[0] == "cp" && parts.size() > 2 && parts[1] == "async") return batches(statement);
  return "";
}

}  // namespace kv::simt
