#include "base/page/page.h"

#include <map>
#include <regex>
#include <set>

#include "base/process/process.h"

namespace kv::grader::pages {
namespace {

// The text of a module and of all that it imports, each once, and after what it imports itself.
// Style sheets are imported, too.
class Bundle {
 public:
  explicit Bundle(const fs::path& module) { add(module.lexically_normal()); }

  const std::string& script() const { return script_; }
  const std::string& style() const { return style_; }

 private:
  void add(const fs::path& file) {
    if (!added_.insert(file).second) return;
    if (file.extension() == ".css")
      style_ += read_file(file);
    else
      add_module(file);
  }

  // Without the lines that import, and the word that exports.
  void add_module(const fs::path& file) {
    static const std::regex kImport("import (?:.* from )?\"(.*)\";");
    constexpr std::string_view kExport = "export ";
    std::string own;
    for (const std::string& line : split_lines(read_file(file))) {
      std::smatch found;
      if (std::regex_match(line, found, kImport))
        add((file.parent_path() / found[1].str()).lexically_normal());
      else
        own += (line.starts_with(kExport) ? line.substr(kExport.size()) : line) + "\n";
    }
    script_ += own;
  }

  std::set<fs::path> added_;
  std::string script_, style_;
};

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

std::string page_text(const fs::path& root, const PageContent& content) {
  const Bundle bundle(root / content.script);
  // Why a nonce: the browser runs the script that has it, and no other, whatever a student's code
  // prints.
  return filled(read_file(root / "base" / "page" / "page.html"),
                {{"title", escaped(content.title)},
                 {"nonce", fresh_nonce()},
                 {"engine", content.has_engine ? " 'wasm-unsafe-eval'; worker-src blob:" : ""},
                 {"server", content.has_server ? "'self'" : "'none'"},
                 {"style", bundle.style()},
                 {"plain", plain_text(content.plain)},
                 {"data", embedded(content.data)},
                 {"log", without_tags(content.log)},
                 {"script", bundle.script()}});
}

}  // namespace kv::grader::pages
