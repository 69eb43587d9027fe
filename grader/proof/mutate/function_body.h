#pragma once
// The body of one function as tokens. The code is formatted, and the operators depend on that: a
// binary operator is between blanks, so `a < b` compares and `vector<int>` does not.

#include <string>
#include <vector>

#include "base/cpp_text/lexer.h"

namespace kv::grader::mutate {

struct Statement {
  std::size_t first;  // token
  std::size_t last;   // its ";" or "}"
};

// Positions are indices of tokens, and ranges of tokens include both ends.
struct FunctionBody {
  std::string_view source;  // text of the whole file
  std::string function;     // "BlockPool::touch"
  bool returns_nothing;     // void, or a constructor
  std::size_t begin;        // the body in the source, without its braces
  std::size_t end;
  std::vector<Token> tokens;

  std::string_view text(std::size_t first, std::size_t last) const;
  bool is(std::size_t i, std::string_view text) const;  // false outside the body
  bool is_binary(std::size_t i) const;                  // between blanks

  // The bracket that closes the one at `open`.
  std::size_t closing(std::size_t open) const;
  std::size_t opening(std::size_t close) const;  // the one that the bracket at `close` closes

  // The first `mark` from `first` to `last` that is in no inner bracket; `last` + 1 if there
  // is none.
  std::size_t find(std::size_t first, std::size_t last, std::string_view mark) const;

  // A "{" before statements, not before a list of values.
  bool opens_block(std::size_t i) const;

  // The first token of each statement.
  std::vector<std::size_t> statements() const;

  // The last token of the statement that begins at `first`; of an "if" with its "else".
  std::size_t end_of_statement(std::size_t first) const;

  // The statements in the block that opens at `open`, without those inside of them.
  std::vector<Statement> statements_in(std::size_t open) const;

  // The same for each block; that of the whole body comes first.
  std::vector<std::vector<Statement>> blocks() const;

 private:
  std::vector<Statement> statements_between(std::size_t first, std::size_t limit) const;
};

// The bodies of all functions of a file.
std::vector<FunctionBody> function_bodies(std::string_view source);

}  // namespace kv::grader::mutate
