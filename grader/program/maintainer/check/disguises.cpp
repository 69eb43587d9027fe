#include <set>

#include "common/cpptext/functions.h"
#include "common/cpptext/lexer.h"
#include "common/text.h"
#include "grader/program/maintainer/check/similar.h"

namespace kv::grader {
namespace {

// Variables of the alternatives that are disguised.
const std::set<std::string_view> kVariables = {
    "block", "blocks",  "content", "entry", "found", "head",     "id",     "is_new", "k",
    "key",   "largest", "last",    "left",  "next",  "num_held", "prefix", "parent", "place",
    "prev",  "q",       "query",   "rest",  "right", "score",    "scores", "slot",   "sum"};

bool is_variable(const std::vector<Token>& tokens, std::size_t i) {
  if (!kVariables.contains(tokens[i].text)) return false;
  return i == 0 || !(tokens[i - 1].is(".") || tokens[i - 1].is("->") || tokens[i - 1].is("::"));
}

std::string directives_of(const std::string& source) {
  std::string text;
  for (const std::string& line : split_lines(source)) {
    if (line.starts_with('#')) text += line + "\n";
  }
  return text;
}

}  // namespace

std::string renamed(const std::string& source) {
  std::string text;
  std::size_t copied = 0;
  const std::vector<Token> tokens = tokenize(source, Directives::kSkip);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!is_variable(tokens, i)) continue;
    text += source.substr(copied, tokens[i].begin - copied) + "my_" + std::string(tokens[i].text);
    copied = tokens[i].end();
  }
  return text + source.substr(copied);
}

std::string reordered(const std::string& source) {
  std::string text;
  std::size_t copied = 0;
  const std::vector<FunctionText> functions = all_functions(source);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const FunctionText& other = functions[functions.size() - 1 - i];
    text += source.substr(copied, functions[i].begin - copied);
    text += source.substr(other.begin, other.close + 1 - other.begin);
    copied = functions[i].close + 1;
  }
  return text + source.substr(copied);
}

std::string reformatted(const std::string& source) {
  std::string text = directives_of(source);
  int number = 0;
  for (const Token& token : tokenize(source, Directives::kSkip))
    text += std::string(token.text) + (++number % 5 == 0 ? "\n\n\t" : " ");
  return text + "\n";
}

std::string commented(const std::string& source) {
  std::string text;
  for (const std::string& line : split_lines(source)) {
    const bool is_code = line.ends_with(';') || line.ends_with('{');
    text += line + (is_code ? "  // and so on; \"x\" /* y" : "") + "\n";
    if (is_code) text += "/* block = blocks[0]; */\n";
  }
  return text;
}

}  // namespace kv::grader
