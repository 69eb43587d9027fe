#include "simt/rewrite/launch_brackets.h"

#include "common/cpptext/lexer.h"

namespace kv::simt {
namespace {

using grader::Token;

// The lexer makes one token of "<<", and two of ">>".
bool is_double(const std::vector<Token>& tokens, std::size_t last) {
  if (tokens[last].is("<<")) return true;
  return last > 0 && tokens[last].is(">") && tokens[last - 1].is(">") &&
         tokens[last - 1].end() == tokens[last].begin;
}

}  // namespace

std::string join_launch_brackets(std::string source) {
  const std::string original = source;
  const std::vector<Token> tokens = grader::tokenize(original, grader::Directives::kKeep);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const char bracket = tokens[i].text[0];
    const std::size_t end = tokens[i].end();
    const std::size_t third = tokens[i + 1].begin;
    if (!is_double(tokens, i) || !tokens[i + 1].is(std::string(1, bracket)) || end == third ||
        original.find_first_not_of(" \t", end) != third) {
      continue;
    }
    source.replace(end - 2, third - end + 3,
                   std::string(third - end, ' ') + std::string(3, bracket));
  }
  return source;
}

}  // namespace kv::simt
