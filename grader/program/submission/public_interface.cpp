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

// A body that begins and ends on one line, as `{ return size_; }`. It may read private members.
bool opens_one_line_body(const std::vector<Token>& tokens, std::size_t open, std::size_t close) {
  if (!tokens[open].is("{") || open == 0 || close == tokens.size()) return false;
  const Token& before = tokens[open - 1];
  const bool follows_parameters =
      before.is(")") || before.is("const") || before.is("noexcept") || before.is("override");
  const std::string_view body(tokens[open].text.data(), tokens[close].end() - tokens[open].begin);
  return follows_parameters && body.find('\n') == body.npos;
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
    const std::size_t close = matching_bracket(tokens, i, 1);
    const bool is_body = opens_one_line_body(tokens, i, close);
    if (is_body) i = close;
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
