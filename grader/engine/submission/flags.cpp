#include "grader/engine/submission/flags.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>

#include "base/cpp_text/lexer.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

bool is_flagged_word(std::string_view word) {
  constexpr std::array<std::string_view, 20> kWords = {"asm",
                                                       "__asm",
                                                       "__asm__",
                                                       "no_sanitize",
                                                       "no_sanitize_coverage",
                                                       "no_instrument_function",
                                                       "optimize",
                                                       "constructor",
                                                       "destructor",
                                                       "section",
                                                       "weak",
                                                       "weakref",
                                                       "alias",
                                                       "ifunc",
                                                       "naked",
                                                       "interrupt",
                                                       "visibility",
                                                       "symver",
                                                       "init_priority",
                                                       "friend"};
  return std::ranges::count(kWords, word) > 0;
}

// Most of these words may be names of the student's, too; in an attribute they are not.
bool needs_attribute(std::string_view word) {
  return !word.ends_with("asm") && !word.ends_with("asm__") && word != "friend";
}

// How deep the token is inside of __attribute__(( )) or [[ ]].
class AttributeDepth {
 public:
  explicit AttributeDepth(const std::vector<Token>& tokens) : tokens_(tokens) {}

  bool is_inside(std::size_t i) {
    const bool begins = tokens_[i].is("__attribute__") || tokens_[i].is("__declspec") ||
                        (tokens_[i].is("[") && i + 1 < tokens_.size() && tokens_[i + 1].is("["));
    if (begins && i >= end_) end_ = matching_bracket(tokens_, tokens_[i].is("[") ? i : i + 1, 1);
    return i < end_;
  }

 private:
  const std::vector<Token>& tokens_;
  std::size_t end_ = 0;
};

std::string line_of(std::string_view source, std::size_t offset) {
  return std::to_string(std::ranges::count(source.substr(0, offset), '\n') + 1);
}

// A name, or nothing: why this preprocessor line needs a look.
std::string finding_in(const std::string& directive) {
  static const std::regex define("#define ?([A-Za-z_0-9]+).*");
  static const std::regex kits(
      "(KV_|TEST|TYPED_TEST|EXPECT_|ASSERT_|GTEST_|SUCCEED|FAIL|__KV).*|main|assert|private|"
      "protected|public|class|struct|if|for|while|return|const|namespace|void|int|bool");
  static const std::regex include("#(include|include_next|import|embed) ?(.*)");
  static const std::regex usual(
      "[\"<](?!/|solution|starter|grader|reference|gtest|gmock|simt/run)"
      "(?!.*\\.\\.)[A-Za-z0-9_/.+-]+[\">].*");
  std::smatch found;
  if (std::regex_match(directive, found, define) && std::regex_match(found[1].str(), kits))
    return "defines the macro " + found[1].str();
  if (std::regex_match(directive, found, include) &&
      (found[1] == "embed" || found[1] == "import" ||
       !std::regex_match(found[2].first, found[2].second, usual)))
    return "includes " + found[2].str();
  static const std::regex pragma(
      "#pragma (GCC|clang) (optimize|push_options|target|poison|"
      "redefine_extname|weak|attribute).*|#pragma (weak|redefine).*");
  return std::regex_match(directive, pragma) ? "has " + directive : "";
}

// The line of a directive with its continuations, single blanks between its words.
std::string directive_at(std::string_view source, std::size_t begin) {
  std::size_t end = source.find('\n', begin);
  while (end != source.npos && end > 0 && source[end - 1] == '\\') end = source.find('\n', end + 1);
  const std::string text(source.substr(begin, end - begin));
  const std::string plain = std::regex_replace(text, std::regex("/\\*.*?\\*/|//.*|\\\\\n"), " ");
  const std::string narrow = std::regex_replace(plain, std::regex("\\s+"), " ");
  return std::regex_replace(narrow, std::regex("^# "), "#");
}

// A header is compiled with the tests, too; a condition, or a name of theirs, may be for them
// alone.
bool is_for_tests(const Token& token) {
  return token.is("testing") || token.is("grader");
}

// The two lines that keep a header from being read twice.
bool is_guard(const std::string& directive, const std::string& next) {
  static const std::regex condition("#ifndef ([A-Za-z_0-9]+) ?");
  std::smatch found;
  return std::regex_match(directive, found, condition) &&
         std::regex_match(next, std::regex("#define " + found[1].str() + " ?"));
}

}  // namespace

std::vector<std::string> header_flags(std::string_view source, const std::string& file) {
  std::vector<std::string> flags;
  std::vector<std::size_t> directives;
  for (const Token& token : tokenize(source, Directives::kKeep)) {
    if (token.is("#")) directives.push_back(token.begin);
    if (is_for_tests(token))
      flags.push_back(file + ":" + line_of(source, token.begin) + " names " +
                      std::string(token.text));
  }
  static const std::regex usual("#(pragma once|include .*|endif.*)");
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const std::string directive = directive_at(source, directives[i]);
    if (i + 1 < directives.size() && is_guard(directive, directive_at(source, directives[i + 1]))) {
      ++i;
    } else if (!std::regex_match(directive, usual)) {
      flags.push_back(file + ":" + line_of(source, directives[i]) + " has " + printable(directive));
    }
  }
  return flags;
}

std::vector<std::string> source_flags(std::string_view source, const std::string& file) {
  std::vector<std::string> flags;
  const std::vector<Token> tokens = tokenize(source, Directives::kKeep);
  AttributeDepth attributes(tokens);
  const auto add = [&](std::size_t i, const std::string& what) {
    flags.push_back(file + ":" + line_of(source, tokens[i].begin) + " " + what);
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_in_attribute = attributes.is_inside(i);
    if (tokens[i].is("#")) {
      const std::string finding = finding_in(directive_at(source, tokens[i].begin));
      if (!finding.empty()) add(i, printable(finding));
      continue;
    }
    const std::string word(tokens[i].text);
    const std::string plain = std::regex_replace(word, std::regex("^__|__$"), "");
    if (is_flagged_word(word) && !needs_attribute(word)) add(i, "has " + word);
    if (is_in_attribute && is_flagged_word(plain) && needs_attribute(plain))
      add(i, "has the attribute " + word);
  }
  return flags;
}

std::vector<std::string> few_of_each_kind(const std::vector<std::string>& flags) {
  constexpr std::size_t kFew = 3;
  std::map<std::string, std::vector<std::string>> kinds;
  std::vector<std::string> few;
  for (const std::string& flag : flags) {
    const std::size_t verb = flag.find(' ');
    const std::string file = flag.substr(0, std::min(verb, flag.find(':')));
    const std::string kind = file + flag.substr(verb, flag.find(' ', verb + 1) - verb);
    kinds[kind].push_back(flag);
    if (kinds[kind].size() <= kFew) few.push_back(flag);
  }
  for (const auto& [kind, same] : kinds) {
    if (same.size() <= kFew) continue;
    const std::size_t num_more = same.size() - kFew - 1;
    few.push_back(same[kFew] +
                  (num_more == 0 ? "" : ", and " + std::to_string(num_more) + " more like it"));
  }
  return few;
}

std::vector<std::string> flags_of(const Submission& submission,
                                  const LabSpec& lab,
                                  const fs::path& objects_folder) {
  std::vector<std::string> flags = symbol_flags(objects_folder);
  const auto add = [&](const std::string& name, const auto& flags_in) {
    const fs::path file = submission.stage / lab.folder / name;
    if (!fs::is_regular_file(file)) return;
    const std::vector<std::string> more = flags_in(read_file(file), name);
    flags.insert(flags.end(), more.begin(), more.end());
  };
  for (const std::string& name : lab.files) add(name, source_flags);
  for (const std::string& name : lab.headers) {
    add(name, source_flags);
    add(name, header_flags);
  }
  return few_of_each_kind(flags);
}

}  // namespace kv::grader
