#include "grader/program/student/pages/page.h"

#include <map>

#include "base/process/process.h"

namespace kv::grader::pages {
namespace {

// Each needs only those before it.
constexpr const char* kScripts[] = {"dom.js",       "log.js",       "state.js",  "slots.js",
                                    "drawing.js",   "step_list.js", "player.js", "source.js",
                                    "failure.js",   "report.js",    "class.js",  "similar.js",
                                    "answers.js",   "changes.js",   "engine.js", "load.js",
                                    "step_text.js", "pool.js",      "cuda.js",   "main.js"};
constexpr const char* kStyles[] = {"page.css", "player.css", "course.css", "pool.css", "cuda.css"};

// All modules as one: without the lines that import, and the word that exports.
std::string script_text(const fs::path& folder) {
  constexpr std::string_view kExport = "export ";
  std::string text;
  for (const char* file : kScripts) {
    for (const std::string& line : split_lines(read_file(folder / file))) {
      if (line.starts_with("import ")) continue;
      text += (line.starts_with(kExport) ? line.substr(kExport.size()) : line) + "\n";
    }
  }
  return text;
}

std::string style_text(const fs::path& folder) {
  std::string text;
  for (const char* file : kStyles) text += read_file(folder / file);
  return text;
}

// JSON inside of a script element. Why: "</script>" would end it. In JSON, < is in texts only.
std::string without_tags(std::string json) {
  return replace_all(std::move(json), "<", "\\u003c");
}

std::string escaped(std::string text) {
  text = replace_all(std::move(text), "&", "&amp;");
  return replace_all(std::move(text), "<", "&lt;");
}

std::string plain_text(const std::string& text) {
  const std::string hint = "A browser that runs JavaScript shows more on this page.\n\n";
  return escaped(printable(text.empty() ? "This page needs JavaScript." : hint + text));
}

// Puts values at the places "@name@" of a page. What a value contains is not looked at.
std::string filled(std::string_view page, const std::map<std::string, std::string>& values) {
  std::string text;
  while (!page.empty()) {
    const std::size_t at = page.find('@');
    text += page.substr(0, at);
    if (at == std::string_view::npos) break;
    const std::size_t end = page.find('@', at + 1);
    text += values.at(std::string(page.substr(at + 1, end - at - 1)));
    page.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace

std::string with_owner(const std::string& page, const std::string& owner) {
  constexpr std::string_view kBegin = "<p class=\"owner\">";
  const std::size_t begin = page.find(kBegin);
  if (begin == std::string::npos) return page;
  const std::size_t end = page.find("</p>", begin);
  return page.substr(0, begin) + std::string(kBegin) + escaped(owner) + page.substr(end);
}

// Why replace: a student's output need not be UTF-8, and the page has to be.
std::string embedded(const Json& data) {
  return without_tags(json_text(data, -1));
}

std::string page_text(const Kit& kit, const PageContent& content) {
  const fs::path folder = kit.root / "grader" / "page";
  // Why a nonce: the browser runs the script that has it, and no other, whatever a student's code
  // prints.
  return filled(read_file(folder / "page.html"),
                {{"title", escaped(content.title)},
                 {"nonce", fresh_nonce()},
                 {"server", content.has_server ? "'self'" : "'none'"},
                 {"style", style_text(folder)},
                 {"plain", plain_text(content.plain)},
                 {"data", embedded(content.data)},
                 {"log", without_tags(content.log)},
                 {"script", script_text(folder)}});
}

}  // namespace kv::grader::pages
