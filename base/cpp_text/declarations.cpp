#include "base/cpp_text/declarations.h"

#include <algorithm>

#include "base/text/text.h"

namespace kv::grader {
namespace {

struct Scope {
  std::string name = {};  // "kv::BlockPool::"
  std::string type = {};  // the outermost one around it
  bool is_class = false;
  bool is_public = true;  // at the current place
  int num_fields = 0;     // so far
  TemplateNames names = {};
};

// The source of these tokens, with one blank where there is space or a comment between two.
std::string source_of(Tokens tokens) {
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool has_gap = i > 0 && tokens[i - 1].end() < tokens[i].begin;
    const bool is_after_bracket = i > 0 && (tokens[i - 1].is("(") || tokens[i - 1].is("<"));
    text += std::string(has_gap && !is_after_bracket ? " " : "") + std::string(tokens[i].text);
  }
  return text + ";";
}

class Reader {
 public:
  void read(Tokens tokens, Scope scope) {
    for (std::size_t i = 0; i < tokens.size();) i += read_one(tokens.subspan(i), scope);
  }

  std::vector<PublicDeclaration> declarations = {};

 private:
  // Reads what is at the beginning of `tokens` and returns how many tokens that are.
  std::size_t read_one(Tokens tokens, Scope& scope) {
    if (tokens[0].is(";")) return 1;
    if (scope.is_class && tokens.size() > 1 && tokens[1].is(":")) {
      scope.is_public = tokens[0].is("public");
      return 2;
    }
    const std::size_t end = end_of_declaration(tokens);
    const Tokens declaration = tokens.first(std::min(end, tokens.size()));
    const auto brace = std::ranges::find_if(declaration, [](auto& t) { return t.is("{"); });
    const auto open = static_cast<std::size_t>(brace - declaration.begin());
    if (open < declaration.size() && opens_namespace(declaration.first(open))) {
      read_namespace(declaration, open, scope);
    } else if (scope.is_public && !declaration[0].is("friend")) {
      read_declaration(declaration, scope);
    }
    return declaration.size() + 1;
  }

  // The ";" or the last "}" of what begins at the first token.
  static std::size_t end_of_declaration(Tokens tokens) {
    const std::size_t first = after_template_header(tokens, 0);
    for (std::size_t i = first; i < tokens.size(); ++i) {
      if (tokens[i].is(";")) return i;
      const Tokens before = tokens.subspan(first, i - first);
      if (tokens[i].is("{")) {
        if (opens_namespace(before)) return matching_bracket(tokens, i, 1);
        const std::size_t parameters = parameter_list(before);
        if (parameters < before.size() && begins_body(before, parameters))
          return end_of_body(tokens, i);
      }
      if (nesting(tokens[i].text) > 0) i = matching_bracket(tokens, i, 1);
    }
    return tokens.size();
  }

  void read_namespace(Tokens declaration, std::size_t open, const Scope& scope) {
    Scope inner = scope;
    for (const Token& token : declaration.first(open)) {
      const bool is_name = token.kind == TokenKind::kWord && !token.is("namespace") &&
                           !token.is("inline") && !token.is("extern");
      if (is_name) inner.name += std::string(token.text) + "::";
    }
    read(declaration.subspan(open + 1), inner);
  }

  void read_declaration(Tokens whole, Scope& scope) {
    TemplateNames names = scope.names;
    const std::string header = template_form(whole, names);
    const std::size_t first = after_template_header(whole, 0);
    const Tokens declaration = whole.subspan(first);
    if (declaration.empty()) return;
    const std::size_t parameters = parameter_list(declaration);
    const bool is_alias = declaration[0].is("using") || declaration[0].is("typedef") ||
                          declaration[0].is("static_assert") || declaration[0].is("enum");
    if (is_alias) {
      const std::string name(declaration[declaration.size() > 1 ? 1 : 0].text);
      add(scope, name, header + plain_form(declaration, names), whole, scope.name + name);
    } else if (begins_type(declaration[0])) {
      read_class(whole, header, names, scope);
    } else if (parameters < declaration.size()) {
      read_function(whole, header, parameters, names, scope);
    } else {
      read_variable(whole, header, names, scope);
    }
  }

  void read_class(Tokens whole,
                  const std::string& header,
                  const TemplateNames& names,
                  const Scope& scope) {
    const auto is_any = [](auto... texts) {
      return [=](const Token& token) { return (token.is(texts) || ...); };
    };
    const auto brace = std::ranges::find_if(whole, is_any("{"));
    if (brace == whole.end()) return;  // declared ahead
    const auto open = static_cast<std::size_t>(brace - whole.begin());
    const std::size_t first = after_template_header(whole, 0);
    const Tokens head = whole.subspan(first + 1, open - first - 1);
    const auto after_name = std::ranges::find_if(head, is_any(":", "final"));
    const std::string name(after_name == head.begin() ? "" : after_name[-1].text);
    add(scope, name, header + "class " + plain_form(head, names), whole.first(open),
        scope.name + name);
    read(whole.subspan(open + 1, matching_bracket(whole, open, 1) - open - 1),
         {.name = scope.name + name + "::",
          .type = scope.type.empty() ? scope.name + name : scope.type,
          .is_class = true,
          .is_public = !whole[first].is("class"),
          .names = names});
  }

  void read_function(Tokens whole,
                     const std::string& header,
                     std::size_t parameters,
                     const TemplateNames& names,
                     const Scope& scope) {
    const std::size_t first = after_template_header(whole, 0);
    const Tokens function = whole.subspan(first);
    const bool is_member_outside = parameters > 1 && function[parameters - 2].is("::");
    const bool is_closed = matching_bracket(function, parameters, 1) < function.size();
    if (is_member_outside || !is_closed) return;
    add(scope, std::string(function[parameters - 1].text),
        header + function_form(function, parameters, names),
        whole.first(first + end_of_signature(function, parameters)), "");
  }

  void read_variable(Tokens whole,
                     const std::string& header,
                     const TemplateNames& names,
                     Scope& scope) {
    const Tokens variable = whole.subspan(after_template_header(whole, 0));
    const std::size_t end = initializer_of(variable);
    const bool is_field = scope.is_class && !variable[0].is("static");
    const std::string place = is_field ? "field " + std::to_string(++scope.num_fields) + ": " : "";
    add(scope, std::string(variable[end - 1].text), place + header + variable_form(variable, names),
        whole, "");
  }

  // own_type: that it declares, if it does
  void add(const Scope& scope,
           const std::string& name,
           const std::string& form,
           Tokens source,
           const std::string& own_type) {
    declarations.push_back({.name = scope.name + name,
                            .form = scope.name + " " + form,
                            .source = source_of(source),
                            .type = scope.type.empty() ? own_type : scope.type});
  }
};

// Macros change what the code around them means, so each counts, but not an include guard.
void add_macros(std::string_view header, std::vector<PublicDeclaration>& declarations) {
  std::string tested;  // by the last #ifndef
  for (const std::string& line : split_lines(header)) {
    const std::vector<Token> tokens = tokenize(line, Directives::kKeep);
    if (tokens.size() < 3 || !tokens[0].is("#")) continue;
    if (tokens[1].is("ifndef")) tested = tokens[2].text;
    const bool is_guard = tokens.size() == 3 && tokens[2].is(tested);
    const bool is_macro = tokens[1].is("define") || tokens[1].is("undef");
    if (!is_macro || is_guard) continue;
    const std::string name = "#" + std::string(tokens[2].text);
    declarations.push_back({.name = name, .form = line, .source = line, .type = ""});
  }
}

}  // namespace

std::vector<PublicDeclaration> public_declarations(std::string_view header) {
  const std::vector<Token> tokens = tokenize(header, Directives::kSkip);
  Reader reader;
  reader.read(tokens, {});
  add_macros(header, reader.declarations);
  return std::move(reader.declarations);
}

}  // namespace kv::grader
