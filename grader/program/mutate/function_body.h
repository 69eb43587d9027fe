#pragma once
// The body of one function, ready to be changed. The code is formatted, and that is used: binary
// operators stand between blanks, so `a < b` compares and `vector<int>` does not.

#include <string>

#include "grader/program/cpptext/lexer.h"

namespace kv::grader::mutate {

// Positions are indices of tokens, and ranges of tokens include both ends.
struct FunctionBody {
  std::string_view source;  // of the whole file
  std::string function;     // "BlockPool::touch"
  bool returns_nothing;     // void, or a constructor
  std::size_t begin;        // the body in the source, without its braces
  std::size_t end;
  std::vector<Token> tokens;

  std::string_view text(std::size_t first, std::size_t last) const;
  bool is(std::size_t i, std::string_view text) const;  // false beyond the ends
  bool is_binary(std::size_t i) const;                  // between blanks

  // The bracket that closes the one at `open`.
  std::size_t closing(std::size_t open) const;

  // The first `mark` from `first` to `last` that stands in no bracket of its own; `last` + 1 if
  // there is none.
  std::size_t find(std::size_t first, std::size_t last, std::string_view mark) const;

  // A "{" that begins statements, not a list of values.
  bool opens_block(std::size_t i) const;

  // Where a statement begins.
  std::vector<std::size_t> statements() const;
};

// The bodies of all functions of a file.
std::vector<FunctionBody> function_bodies(std::string_view source);

}  // namespace kv::grader::mutate
