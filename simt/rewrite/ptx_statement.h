#pragma once
// One statement of PTX, "ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4 + 16]", in its parts. An operand
// %4 is the register r[4] of simt/include/simt/ptx.h; a register that the text declares follows
// those of the operands.

#include <string>
#include <string_view>
#include <vector>

#include "simt/rewrite/ptx.h"

namespace kv::simt {

using Words = std::vector<std::string>;

// The parts between separators, without white space around them.
Words split(std::string_view text, char separator);

// Whether a list such as "s32 u32" has this word.
bool has_word(std::string_view words, const std::string& word);

// "__half" for f16; empty: there is none.
std::string cpp_type(const std::string& ptx_type);

// simt/include/simt/ptx.h has room for these: compilers take operands %0 to %29.
inline constexpr std::size_t kMostOperands = 30;
inline constexpr std::size_t kMostNames = 16;

// What a statement may name: the operands' types, and the registers that the text has declared.
struct Registers {
  Words operand_types;
  Words names, types;

  // The type of "%0", or of a name; empty: that is unknown.
  std::string type_of(const std::string& name) const;
};

enum class Width { kSame, kSameOrMore };

class Statement {
 public:
  Statement(const std::string& text, const Registers& registers);

  [[noreturn]] void refuse() const { throw UnknownPtx(text_); }

  // The C++ of this statement, under its condition "@p" if it has one.
  std::string guarded(const std::string& cpp) const;

  // The opcode's parts: "ld", "global", "nc", "v4", "u32".
  const Words& parts() const { return parts_; }
  bool has_part(const std::string& part) const;
  // Whether all parts but the first and the last ones are in a list.
  bool has_only(std::string_view list, std::size_t num_first, std::size_t num_last) const;
  std::string type() const { return parts_.back(); }

  std::size_t num_operands() const { return operands_.size(); }
  const std::string& operand(std::size_t number) const;
  bool has_vector() const;
  // The registers of {%0, %1}, or of one operand.
  Words registers(std::size_t number) const;
  std::string one_register(std::size_t number) const;
  // Throws MismatchedPtx if a register of this operand does not fit this type of PTX.
  void expect(std::size_t number, const std::string& type, Width width = Width::kSame) const;
  void expect_from(std::size_t first, const std::string& type, Width width = Width::kSame) const;
  // The value of a source of this type of C++: of a register, or a number.
  std::string value(std::size_t number, const std::string& type) const;
  // The value with the instruction's type.
  std::string typed(std::size_t number) const;
  // [%4 + 16]; of shared memory, where PTX counts from its first byte.
  std::string address(std::size_t number) const;
  std::string shared_address(std::size_t number) const;

 private:
  std::string register_of(const std::string& name) const;
  std::string special_register(const std::string& name) const;
  void expect_special(const std::string& name, const std::string& type) const;

  std::string text_;
  std::string guard_;  // "@!p"; empty: none
  Words parts_, operands_;
  const Registers& registers_;
};

// The statement in C++, or nothing if it is of another kind.
std::string memory_statement(const Statement& statement);  // ptx_memory.cpp
std::string matrix_statement(const Statement& statement);  // ptx_matrices.cpp

}  // namespace kv::simt
