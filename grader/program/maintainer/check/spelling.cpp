// The spelling of the texts, and of the comments in contracts, by hunspell.

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>

#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

using Places = std::map<std::string, std::string>;  // a word -> where it is first, file:line

// How many backticks a line begins with, if it begins or ends a block of code; otherwise 0.
std::size_t fence_of(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t size = std::min(line.find_first_not_of('`', begin), line.size()) - begin;
  return size < 3 ? 0 : size;
}

// The lines of a Markdown text without its blocks of code, which leave empty lines.
std::string unfenced(const std::string& markdown) {
  std::string text;
  std::size_t open = 0;  // backticks that have begun a block
  for (const std::string& line : split_lines(markdown)) {
    const std::size_t fence = fence_of(line);
    const bool is_code = open > 0 || fence > 0 || line.starts_with("    ");
    if (open == 0) {
      open = fence;
    } else if (fence >= open) {
      open = 0;
    }
    text += (is_code ? "" : line) + "\n";
  }
  return text;
}

// A Markdown text without its code, its tags and the targets of its links; lines stay where they
// are.
std::string prose_of(const std::string& markdown) {
  const std::string prose = unfenced(markdown);
  static const std::regex kNoProse(R"(`[^`]*`|\]\([^)]*\)|\]: .*|https?://\S*|<[^>\n]*>)");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator part(prose.begin(), prose.end(), kNoProse), none; part != none;
       ++part) {
    const std::size_t begin = static_cast<std::size_t>(part->position());
    text += prose.substr(end, begin - end) + " ";
    const std::string code = part->str();
    text += std::string(static_cast<std::size_t>(std::ranges::count(code, '\n')), '\n');
    end = begin + code.size();
  }
  return text + prose.substr(end);
}

// The comments of a source, each in its line.
std::string comments_of(const std::string& source) {
  std::string comments;
  for (const std::string& line : split_lines(source)) {
    const std::size_t begin = line.find("//");
    comments += (begin == std::string::npos ? "" : line.substr(begin + 2)) + "\n";
  }
  return comments;
}

// A name in code, as ref_cnt, KVCacheBlock or block_pool.h, is no word.
bool is_word(const std::string& token) {
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  return token.size() > 1 && std::none_of(token.begin() + 1, token.end(), is_capital) &&
         std::ranges::all_of(
             token, [](unsigned char c) { return std::isalpha(c) != 0 || c == '\'' || c >= 0x80; });
}

std::string without_ending(std::string token) {
  while (!token.empty() && (token.back() == '\'' || token.back() == '.')) token.pop_back();
  if (token.ends_with("'s")) token.resize(token.size() - 2);
  return token.substr(std::min(token.find_first_not_of("'."), token.size()));
}

void add_words(const std::string& file, const std::string& text, Places& words) {
  static const std::regex kToken(R"([\w.:'\x80-\xff]+)");
  std::size_t number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    for (std::sregex_iterator token(line.begin(), line.end(), kToken), none; token != none;
         ++token) {
      const std::string word = without_ending(token->str());
      if (is_word(word)) words.emplace(word, file + ":" + std::to_string(number));
    }
  }
}

Places words_of_kit(const Kit& kit) {
  Places words;
  for (const fs::path& file : texts_of_kit(kit)) {
    if (file.extension() == ".md") add_words(file, prose_of(read_file(kit.root / file)), words);
  }
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const std::string& header : lab.headers) {
      const fs::path file = kit.lab_folder(lab) / header;
      add_words(fs::relative(file, kit.root), comments_of(read_file(file)), words);
    }
  }
  return words;
}

// Those that are not in the dictionary. Throws: hunspell has none.
std::set<std::string> unknown_words(const Kit& kit, const Places& words) {
  std::string list;
  for (const auto& [word, place] : words) list += word + "\n";
  const fs::path file = kit.build / "spelling.txt";
  write_file(file, list);
  const Outcome outcome = run({.argv = {"hunspell", "-d", "en_US", "-i", "utf-8", "-l", file}});
  if (!outcome.ok()) throw std::runtime_error("hunspell: " + outcome.output);
  const std::vector<std::string> unknown = split_lines(outcome.output);
  return {unknown.begin(), unknown.end()};
}

bool has_dictionary() {
  return is_installed("hunspell") &&
         run({.argv = {"hunspell", "-d", "en_US", "-l", "/dev/null"}}).ok();
}

void check_planted(const Kit& kit, Checks& checks) {
  Places words;
  add_words(
      "page",
      prose_of(
          "The free queu\n\n````\n```\nqeue\n```\n````\nholds `blcoks`\n    and\n[a](b/lnk.md)."),
      words);
  add_words("header", comments_of("int nubmer;  // one blok\n"), words);
  const std::set<std::string> expected = {"queu", "blok"};
  checks.expect(unknown_words(kit, words) == expected && words["queu"] == "page:1",
                "a misspelled word is found in a text and in a comment, code is left out");
}

}  // namespace

void check_spelling(const Kit& kit, Checks& checks) {
  if (!has_dictionary()) return checks.unavailable("spelling", "hunspell and hunspell-en-us");
  check_planted(kit, checks);
  const std::vector<std::string> list = split_lines(read_file(kit.root / "docs/site/words.txt"));
  const std::set<std::string> own(list.begin(), list.end());
  const Places words = words_of_kit(kit);
  const std::set<std::string> unknown = unknown_words(kit, words);
  std::string misspelled, superfluous;
  for (const std::string& word : unknown) {
    if (!own.contains(word)) misspelled += words.at(word) + ": " + word + "\n";
  }
  for (const std::string& word : own) {
    if (!unknown.contains(word)) superfluous += word + "\n";
  }
  checks.expect(misspelled.empty(),
                std::to_string(words.size()) + " words are in the dictionary or in words.txt",
                misspelled);
  checks.expect(superfluous.empty(), "each word of words.txt is used, and in no dictionary",
                superfluous);
  checks.expect(std::ranges::is_sorted(list) && own.size() == list.size(),
                "words.txt is sorted, each word is in it once");
}

}  // namespace kv::grader
