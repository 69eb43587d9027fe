// The words that the kit's texts avoid: the first column of the table in CONTRIBUTING.md, "Voice",
// and the first words that make half a sentence of a comment.

#include <algorithm>
#include <cctype>

#include "common/errors.h"
#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

struct Phrase {
  std::string text;
  std::string instead;
  bool is_for_readmes;  // false: a README and its hints may use it, where it teaches
};

// Where a phrase means something else.
struct Exception {
  std::string_view phrase;
  std::string_view file;  // the path ends with this
  std::string_view why;
};

constexpr Exception kExceptions[] = {
    {"law", "CHANGELOG.md", "says what an invariant was called"},
    {"twins", "CHANGELOG.md", "says what duplicates were called"},
    {"other right answers", "CHANGELOG.md", "says what the group of checks was called"},
};

std::size_t voice_begin(const std::string& page) {
  const std::size_t begin = page.find("## Voice\n");
  if (begin == std::string::npos) throw KitBroken("CONTRIBUTING.md has no heading \"Voice\"");
  return begin;
}

std::size_t voice_end(const std::string& page) {
  return std::min(page.find("\n## ", voice_begin(page)), page.size());
}

// A row: | `one phrase`, `another` | what to say |. A first cell that begins with "outside
// READMEs:" is not for READMEs.
std::vector<Phrase> phrases_of(const std::string& page) {
  const std::size_t begin = voice_begin(page);
  std::vector<Phrase> phrases;
  for (const std::string& line : split_lines(page.substr(begin, voice_end(page) - begin))) {
    const std::vector<std::string> cells = table_cells(line);
    if (cells.size() != 2) continue;
    for (const std::string& text : parts_between(cells[0], "`", "`")) {
      phrases.push_back({text, cells[1], !cells[0].starts_with("outside READMEs")});
    }
  }
  return phrases;
}

// A file as one line of small letters, so that a phrase is found across the end of a line.
struct FlatText {
  std::string text;
  std::vector<std::size_t> line_begins;

  std::size_t line_at(std::size_t offset) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(line_begins, offset) -
                                    line_begins.begin());
  }
};

FlatText flat(const std::string& text) {
  FlatText result;
  for (const std::string& line : split_lines(text)) {
    result.line_begins.push_back(result.text.size());
    const std::size_t first = std::min(line.find_first_not_of(" /#*>\""), line.size());
    const std::size_t last = line.find_last_not_of(" \"");
    if (first < line.size()) result.text += line.substr(first, last + 1 - first);
    result.text += ' ';
  }
  std::ranges::transform(result.text, result.text.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return result;
}

// Where the phrase is a word or several: "law" is not in "claw", nor in the name "law_of".
std::vector<std::size_t> offsets_of(const std::string& phrase, const std::string& text) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() &&
           (text[at] == '_' || std::isalnum(static_cast<unsigned char>(text[at])) != 0);
  };
  std::vector<std::size_t> offsets;
  for (std::size_t at = text.find(phrase); at != std::string::npos;
       at = text.find(phrase, at + 1)) {
    const bool is_begin = at == 0 || !is_letter(at - 1);
    if (is_begin && !is_letter(at + phrase.size())) offsets.push_back(at);
  }
  return offsets;
}

bool is_allowed(const Phrase& phrase, const std::string& file) {
  const bool is_readme = file.ends_with("README.md") || file.ends_with("HINTS.md");
  if (is_readme && !phrase.is_for_readmes) return true;
  return std::ranges::any_of(kExceptions, [&](const Exception& exception) {
    return exception.phrase == phrase.text && file.ends_with(exception.file);
  });
}

std::string uses_in(const std::string& file,
                    const std::string& text,
                    const std::vector<Phrase>& phrases) {
  const FlatText flat_text = flat(text);
  std::string uses;
  for (const Phrase& phrase : phrases) {
    if (is_allowed(phrase, file)) continue;
    for (const std::size_t offset : offsets_of(phrase.text, flat_text.text)) {
      uses += file + ":" + std::to_string(flat_text.line_at(offset)) + ": \"" + phrase.text +
              "\"; say: " + phrase.instead + "\n";
    }
  }
  return uses;
}

// Is all of the line a comment? A line of a known bug has + or - before it.
bool is_comment(const std::string& line) {
  const std::string text = line.substr(std::min(line.find_first_not_of(" +-"), line.size()));
  return text.starts_with("//") || text.starts_with("# ") || text == "#";
}

// "The cost." of "int cost;  // The cost."; empty without a comment.
std::string comment_in(const std::string& line) {
  for (const std::string mark : {"// ", "# "}) {
    const std::size_t at = line.find(mark);
    if (at != line.npos) return line.substr(at + mark.size());
  }
  return "";
}

// Comments that begin with Of, As or With. Why not every line: a sentence in the middle of a
// comment may begin with them, and so may a line that goes on with a sentence.
std::string half_sentences(const std::string& file, const std::string& text) {
  if (file.ends_with(".md")) return "";  // where # is a heading
  std::string found;
  std::size_t number = 0;
  bool is_after_comment = false;
  for (const std::string& line : split_lines(text)) {
    ++number;
    const bool goes_on = is_after_comment && is_comment(line);
    is_after_comment = is_comment(line);
    const std::string words = comment_in(line);
    const std::string first = words.substr(0, words.find(' '));
    if (!goes_on && (first == "Of" || first == "As" || first == "With")) {
      found += file + ":" + std::to_string(number) + ": a comment begins with \"" + first +
               "\"; say what it is or does: \"The cost of each item.\"\n";
    }
  }
  return found;
}

void check_half_sentences(Checks& checks) {
  const std::string found = half_sentences(
      "a.h", "// Of each b.\n// With a c it is a d.\nint e;  // As f.\n// The g.\n\n# With h.\n");
  const std::vector<std::string> lines = split_lines(found);
  checks.expect(lines.size() == 3 && lines[0].starts_with("a.h:1: ") &&
                    lines[1].starts_with("a.h:3: ") && lines[2].starts_with("a.h:6: "),
                "a comment that begins with half a sentence is found", found);
}

// Why: the table itself names the phrases.
std::string without_voice(std::string page) {
  const std::size_t begin = voice_begin(page);
  const std::size_t end = voice_end(page);
  std::replace_if(
      page.begin() + static_cast<std::ptrdiff_t>(begin),
      page.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
  return page;
}

}  // namespace

void check_words(const Kit& kit, Checks& checks) {
  const std::string table = "CONTRIBUTING.md";
  const std::vector<Phrase> phrases = phrases_of(read_file(kit.root / table));
  std::string uses;
  for (const fs::path& file : texts_of_kit(kit)) {
    // Why: the first is not ours, and the second names the phrases in its exceptions.
    if (file == "LICENSE" || file.filename() == "words.cpp") continue;
    const std::string text = read_file(kit.root / file);
    uses += uses_in(file.string(), file == table ? without_voice(text) : text, phrases);
    uses += half_sentences(file.string(), text);
  }
  checks.expect(!phrases.empty() && uses.empty(),
                std::to_string(phrases.size()) +
                    " phrases of the table of words, and half sentences: no text has them",
                uses);
  check_half_sentences(checks);
}

}  // namespace kv::grader
