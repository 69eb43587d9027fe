#include "simt/rewrite/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace kv::simt {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_raw_prefix(std::string_view word) {
  return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : rest_(source) {}

  std::vector<Token> run() {
    for (skip_blanks(); !rest_.empty(); skip_blanks()) next();
    return std::move(tokens_);
  }

 private:
  void next() {
    const char c = rest_[0];
    if (c == '"' || c == '\'') return add(TokenKind::kLiteral, quoted_length(c));
    if (!is_word(c)) return add(TokenKind::kSymbol, symbol_length());
    const std::size_t length = is_digit(c) ? number_length() : word_length();
    if (is_raw_prefix(rest_.substr(0, length)) && rest_.substr(length).starts_with('"')) {
      return add(TokenKind::kLiteral, raw_length(length));
    }
    add(TokenKind::kWord, length);
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, rest_.substr(0, length), line_});
    skip(length);
  }

  void skip(std::size_t length) {
    length = std::min(length, rest_.size());
    line_ += static_cast<int>(std::ranges::count(rest_.substr(0, length), '\n'));
    rest_.remove_prefix(length);
  }

  void skip_blanks() {
    while (!rest_.empty()) {
      if (rest_.starts_with("//")) {
        skip(line_comment_length());
      } else if (rest_.starts_with("/*")) {
        skip(end_of("*/", 2));
      } else if (std::isspace(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '\\') {
        skip(1);
      } else {
        return;
      }
    }
  }

  // Just behind the next `mark`, or the end.
  std::size_t end_of(std::string_view mark, std::size_t from) const {
    const std::size_t at = rest_.find(mark, from);
    return at == std::string_view::npos ? rest_.size() : at + mark.size();
  }

  // A backslash at the end of the line carries the comment on.
  std::size_t line_comment_length() const {
    std::size_t length = rest_.find('\n');
    while (length != std::string_view::npos && rest_[length - 1] == '\\') {
      length = rest_.find('\n', length + 1);
    }
    return std::min(length, rest_.size());
  }

  // Why a line's end ends it: the apostrophe of "#error don't" opens nothing.
  std::size_t quoted_length(char quote) const {
    std::size_t length = 1;
    while (length < rest_.size() && rest_[length] != quote && rest_[length] != '\n') {
      length += rest_[length] == '\\' ? 2 : 1;
    }
    return std::min(length + 1, rest_.size());
  }

  // R"mark( ... )mark"
  std::size_t raw_length(std::size_t prefix) const {
    const std::size_t open = rest_.find('(', prefix);
    if (open == std::string_view::npos) return rest_.size();
    const std::string_view mark = rest_.substr(prefix + 1, open - prefix - 1);
    return end_of(")" + std::string(mark) + "\"", open);
  }

  std::size_t word_length() const {
    const auto end = std::ranges::find_if_not(rest_, is_word);
    return static_cast<std::size_t>(end - rest_.begin());
  }

  // 1'000 and 0x1.8p3 are one word each.
  std::size_t number_length() const {
    std::size_t length = 1;
    while (length < rest_.size() && (is_word(rest_[length]) || rest_[length] == '.' ||
                                     (rest_[length] == '\'' && is_word(rest_[length + 1])))) {
      ++length;
    }
    return length;
  }

  std::size_t symbol_length() const {
    constexpr std::array<std::string_view, 6> kLong = {"<<<", ">>>", "::", "->", "<=", ">="};
    const auto found = std::ranges::find_if(kLong, [&](auto s) { return rest_.starts_with(s); });
    return found == kLong.end() ? 1 : found->size();
  }

  std::string_view rest_;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace kv::simt
