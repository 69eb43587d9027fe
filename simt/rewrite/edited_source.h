#pragma once
// A source file as tokens, and the edits to make in it.

#include <string>
#include <string_view>
#include <vector>

#include "grader/program/cpptext/lexer.h"

namespace kv::simt {

// Why directives are kept: a macro may launch a kernel.
class EditedSource {
 public:
  EditedSource(std::string_view source, const std::string& file)
      : source_(source),
        file_(file),
        tokens_(grader::tokenize(source, grader::Directives::kKeep)) {}

  std::size_t size() const { return tokens_.size(); }

  // Outside of [0, size()) there is no token, and the text is empty. size_t(-1) is the position
  // before the first token.
  std::string_view text(std::size_t i) const { return i < size() ? tokens_[i].text : ""; }
  bool is_word(std::size_t i) const;                  // or a number
  bool begins_directive(std::size_t i) const;         // a "#" that is the first token of its line
  std::size_t directive_end(std::size_t hash) const;  // the first token after the directive

  // The bracket that belongs to the one at `i`, or size(). `step` is 1 or -1.
  std::size_t matching_bracket(std::size_t i, int step) const {
    return grader::matching_bracket(tokens_, i, step);
  }

  // Whether the token is on a preprocessor line.
  bool is_in_directive(std::size_t i) const;

  // "file.cu:12", the line of a token.
  std::string place(std::size_t i) const;

  // Edits are made from front to back.
  void insert_before(std::size_t i, const std::string& text) { edits_.push_back({i, 0, text}); }
  void replace(std::size_t i, const std::string& text) {
    edits_.push_back({i, tokens_[i].text.size(), text});
  }
  std::string edited() const;

 private:
  struct Edit {
    std::size_t token;
    std::size_t num_replaced;  // characters
    std::string text;
  };

  std::string_view source_;
  std::string file_;
  std::vector<grader::Token> tokens_;
  std::vector<Edit> edits_ = {};
};

// As a string literal.
std::string quoted(const std::string& text);

}  // namespace kv::simt
