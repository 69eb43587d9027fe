// docs/simt-reference.md lists what simt has and has not: both lists agree with the code.

#include <algorithm>
#include <regex>
#include <set>

#include "grader/program/maintainer/check/check.h"
#include "simt/compile/missing_features.h"

namespace kv::grader {
namespace {

// All headers with CUDA's names, and the flags with its macros, as one text.
std::string headers_of(const Kit& kit) {
  std::string text;
  for (const std::string folder : {"include", "flags", "rewrite"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kit.root / "simt" / folder)) {
      if (entry.is_regular_file()) text += read_file(entry.path());
    }
  }
  return text;
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

std::string absent_names(const Kit& kit, const std::string& page) {
  static const std::regex code("`([A-Za-z_][A-Za-z_0-9]*(?:[./][A-Za-z_0-9]+)*)`");
  static const std::regex word("([A-Za-z_][A-Za-z_0-9]*)");
  const std::set<std::string> there = matches(headers_of(kit), word);
  std::string absent;
  for (const std::string& name : matches(page, code)) {
    const bool is_header = fs::is_regular_file(kit.root / "simt" / "include" / name);
    if (!is_header && !there.contains(name)) absent += "not in the headers: " + name + "\n";
  }
  return absent;
}

std::string unlisted_functions(const Kit& kit, const std::string& page) {
  static const std::regex function("\\b(cuda[A-Z]\\w+)\\(");
  std::string unlisted;
  for (const auto& entry : fs::recursive_directory_iterator(kit.root / "simt" / "include")) {
    if (!entry.is_regular_file()) continue;
    for (const std::string& name : matches(read_file(entry.path()), function)) {
      if (page.find("`" + name + "`") == std::string::npos)
        unlisted += "not listed: " + name + "\n";
    }
  }
  return unlisted;
}

}  // namespace

void check_simt_reference(const Kit& kit, Checks& checks) {
  const std::string page = read_file(kit.root / "docs" / "simt-reference.md");
  const std::size_t end = page.find("## What is not there");
  const std::string wrong =
      absent_names(kit, page.substr(0, end)) + unlisted_functions(kit, page.substr(0, end));
  checks.expect(end != page.npos && wrong.empty(),
                "docs/simt-reference.md lists what simt's headers have", wrong);
  std::string rest = page.substr(std::min(end, page.size()));
  std::ranges::replace(rest, '\n', ' ');
  std::string unlisted;
  for (const std::string& name : simt::missing_feature_names()) {
    if (rest.find(name) == std::string::npos) unlisted += name + "\n";
  }
  checks.expect(unlisted.empty(), "docs/simt-reference.md lists what simt has not", unlisted);
}

}  // namespace kv::grader
