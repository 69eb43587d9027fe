#include "grader/program/submission/public_interface.h"

#include <algorithm>

#include "grader/program/cpptext/lexer.h"

namespace kv::grader {
namespace {

std::string without_includes(const std::string& header) {
  std::string text;
  for (const std::string& line : split_lines(header)) {
    if (!line.starts_with("#include")) text += line + "\n";
  }
  return text;
}

// Where the body of a member opens if `i` begins one, or the initializers before it; else i.
std::size_t body_open(const std::vector<Token>& tokens, std::size_t i) {
  if (i == 0 || !tokens[i].is(":") || !tokens[i - 1].is(")")) return i;
  for (std::size_t open = i + 1; open < tokens.size(); ++open) {
    const Token& before = tokens[open - 1];
    if (tokens[open].is("{") && (before.is(")") || before.is("}"))) return open;
    if (nesting(tokens[open].text) > 0) open = matching_bracket(tokens, open, 1);
  }
  return i;
}

// The last token of a body on one line, as `{ return size_; }` or `: size_(n) {}`, that begins at
// `i`; tokens.size() if none does. Such a body may use private members.
std::size_t end_of_one_line_body(const std::vector<Token>& tokens, std::size_t i) {
  const std::size_t open = body_open(tokens, i);
  const std::size_t close = matching_bracket(tokens, open, 1);
  if (!tokens[open].is("{") || open == 0 || close == tokens.size()) return tokens.size();
  const Token& before = tokens[open - 1];
  const bool is_body = open != i || before.is(")") || before.is("const") || before.is("noexcept") ||
                       before.is("override");
  const std::string_view body(tokens[i].text.data(), tokens[close].end() - tokens[i].begin);
  return is_body && body.find('\n') == body.npos ? close : tokens.size();
}

}  // namespace

std::string public_part(const std::string& header) {
  const std::string text = without_includes(header);
  const std::vector<Token> tokens = tokenize(text, Directives::kKeep);
  std::string part;
  int depth = 0;
  int private_depth = 0;  // of the class whose private members are skipped; 0: none
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto is_label = [&](std::string_view name) {
      return tokens[i].is(name) && i + 1 < tokens.size() && tokens[i + 1].is(":");
    };
    if (tokens[i].is("}")) --depth;
    if (depth < private_depth || (depth == private_depth && is_label("public"))) private_depth = 0;
    if (private_depth == 0 && is_label("private")) private_depth = depth;
    const std::size_t end = end_of_one_line_body(tokens, i);
    const bool is_body = end < tokens.size();
    if (is_body) i = end;
    if (private_depth == 0) part += std::string(is_body ? ";" : tokens[i].text) + " ";
    if (!is_body && tokens[i].is("{")) ++depth;
  }
  return part;
}

std::optional<std::string> changed_public_interface(const Kit& kit,
                                                    const Submission& submission,
                                                    const LabSpec& lab) {
  for (const std::string& header : lab.headers) {
    const fs::path own = submission.stage / lab.folder / header;
    if (!fs::exists(own)) continue;
    if (public_part(read_file(own)) == public_part(read_file(kit.lab_folder(lab) / header)))
      continue;
    return "your copy of " + lab.folder + "/" + header +
           " changes the public part of the contract; it may change private members only";
  }
  return std::nullopt;
}

}  // namespace kv::grader
