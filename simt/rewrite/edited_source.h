#pragma once
// A source file as tokens, and the edits to make in it.

#include <string>
#include <string_view>
#include <vector>

#include "base/cpp_text/lexer.h"

namespace kv::simt {

// Why directives are kept: a macro may launch a kernel.
class EditedSource {
 public:
  EditedSource(std::string_view source, const std::string& file);

  std::size_t size() const { return tokens_.size(); }

  // Outside of [0, size()) there is no token, and the text is empty. size_t(-1) is the position
  // before the first token.
  std::string_view text(std::size_t i) const { return i < size() ? tokens_[i].text : ""; }
  std::size_t offset(std::size_t i) const { return tokens_[i].begin; }  // in the source
  std::size_t first_from(std::size_t offset) const;                     // size(): none
  bool is_word(std::size_t i) const;                                    // or a number

  // A directive is a preprocessor line: "#" as the first token of a line, up to the line's end.
  bool begins_directive(std::size_t i) const { return i < size() && hashes_[i] == i; }
  bool is_in_directive(std::size_t i) const { return i < size() && hashes_[i] != kNoDirective; }
  std::size_t directive_begin(std::size_t i) const { return hashes_[i]; }
  std::size_t directive_end(std::size_t i) const;  // the first token after the directive

  // The bracket that belongs to the one at `i`, or size(). `step` is 1 or -1.
  std::size_t matching_bracket(std::size_t i, int step) const {
    return grader::matching_bracket(tokens_, i, step);
  }

  // Throws MalformedCuda, about a token.
  [[noreturn]] void refuse(std::size_t i, const std::string& sentence) const;

  // Edits are made from front to back.
  void insert_before(std::size_t i, const std::string& text) { edits_.push_back({i, 0, text}); }
  void replace(std::size_t i, const std::string& text) {
    edits_.push_back({i, tokens_[i].text.size(), text});
  }
  std::string edited() const;

 private:
  static constexpr std::size_t kNoDirective = static_cast<std::size_t>(-1);

  void find_directives();
  std::string place(std::size_t i) const;  // "file.cu:12"

  struct Edit {
    std::size_t token;
    std::size_t num_replaced;  // characters
    std::string text;
  };

  std::string_view source_;
  std::string file_;
  std::vector<grader::Token> tokens_;
  std::vector<std::size_t> hashes_;  // for each token, the "#" of its directive
  std::vector<Edit> edits_ = {};
};

// The text as a string literal.
std::string quoted(const std::string& text);

}  // namespace kv::simt
