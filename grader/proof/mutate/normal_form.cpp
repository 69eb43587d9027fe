#include "grader/proof/mutate/normal_form.h"

#include <algorithm>

#include "base/cpp_text/lexer.h"

namespace kv::grader::mutate {
namespace {

using Words = std::vector<std::string_view>;

class Statements {
 public:
  explicit Statements(std::string_view body) : tokens_(tokenize(body, Directives::kSkip)) {}

  Words all() { return up_to(tokens_.size(), "return"); }

 private:
  bool is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].is(text); }

  void add_until(std::size_t end, Words& words) {
    for (; at_ < end; ++at_) words.push_back(tokens_[at_].text);
  }

  // The bracket at `at_`, with what is in it.
  Words in_brackets() {
    Words words;
    add_until(std::min(tokens_.size(), matching_bracket(tokens_, at_, 1) + 1), words);
    return words;
  }

  // last: the jump that changes nothing at the end of these statements.
  Words up_to(std::size_t end, std::string_view last) {
    Words words;
    while (at_ < end) {
      const bool is_jump = is("return") || is("continue") || is("break");
      const Words next = statement();
      if (!is_jump) {
        words.insert(words.end(), next.begin(), next.end());
        continue;
      }
      at_ = end;  // nothing runs after it
      if (next != Words{last, ";"}) words.insert(words.end(), next.begin(), next.end());
    }
    return words;
  }

  Words statement() {
    if (is("if")) return branch();
    if (is("for") || is("while")) return loop();
    if (is("{")) return braced(block(""));
    Words words;
    add_until(end_of_expression(), words);
    return words == Words{";"} ? Words() : words;
  }

  std::size_t end_of_expression() const {
    std::size_t i = at_;
    for (int depth = 0; i < tokens_.size(); ++i) {
      depth += nesting(tokens_[i].text);
      if (depth == 0 && tokens_[i].is(";")) return i + 1;
    }
    return i;
  }

  // The statements of a branch or loop, without braces.
  Words block(std::string_view last) {
    if (!is("{")) return statement();
    const std::size_t close = std::min(tokens_.size(), matching_bracket(tokens_, at_, 1));
    ++at_;
    Words words = up_to(close, last);
    at_ = close + 1;
    return words;
  }

  static Words braced(Words words) {
    if (words.empty()) return words;
    words.insert(words.begin(), "{");
    words.push_back("}");
    return words;
  }

  Words branch() {
    Words words = {tokens_[at_++].text};
    if (is("constexpr")) words.push_back(tokens_[at_++].text);
    const Words condition = in_brackets();
    const Words yes = block("");
    const bool has_else = is("else");
    at_ += has_else ? 1 : 0;
    const Words no = has_else ? block("") : Words();
    if (condition == Words{"(", "true", ")"}) return yes;
    if (condition == Words{"(", "false", ")"}) return no;
    if (yes.empty() && no.empty()) return {};
    words.insert(words.end(), condition.begin(), condition.end());
    for (const Words& part : {braced(yes), no.empty() ? no : Words{"else"}, braced(no)})
      words.insert(words.end(), part.begin(), part.end());
    return words;
  }

  Words loop() {
    Words words = {tokens_[at_++].text};
    const Words head = in_brackets();
    const Words body = braced(block("continue"));
    const Words never = {";", "false", ";"};
    const bool never_runs =
        std::search(head.begin(), head.end(), never.begin(), never.end()) != head.end();
    if (body.empty() || never_runs) return {};
    words.insert(words.end(), head.begin(), head.end());
    words.insert(words.end(), body.begin(), body.end());
    return words;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

Words normal_form(std::string_view body) {
  return Statements(body).all();
}

}  // namespace kv::grader::mutate
