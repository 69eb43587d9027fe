#pragma once
// C++ text in the form in which submissions are compared. What a copier changes most easily is not
// in it: comments, white space, names, numbers, texts, braces, and words like `const` or `std::`.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kv::grader::similar {

struct NormalToken {
  std::uint32_t code;   // equal for tokens that count as the same
  std::uint32_t begin;  // its offset in the source
  std::uint32_t length;

  std::size_t end() const { return std::size_t{begin} + length; }
};

// Names that are compared as they are. They are what the kit's own texts call or take from an
// object: nobody can rename `popleft` or `next_free_block`.
using KeptNames = std::set<std::string, std::less<>>;

void add_kept_names(std::string_view source, KeptNames& names);

std::vector<NormalToken> normal_tokens(std::string_view source, const KeptNames& kept);

}  // namespace kv::grader::similar
