// Where the links of Markdown pages lead.

#include <algorithm>
#include <cctype>

#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

// GitHub's name for a heading: "One file, two rows" -> "one-file-two-rows".
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading.substr(heading.find(' ') + 1)) {
    if (c == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      anchor += static_cast<char>(std::tolower(c));
    }
  }
  return anchor;
}

bool has_anchor(const fs::path& page, const std::string& anchor) {
  const std::vector<std::string> lines = split_lines(read_file(page));
  return std::ranges::any_of(lines, [&](const std::string& line) {
    return line.starts_with("#") && anchor_of(line) == anchor;
  });
}

// The targets of [text](target) and of lines "[name]: target", outside fenced blocks.
std::vector<std::string> links_of(const std::string& page) {
  std::vector<std::string> links;
  bool is_code = false;
  for (const std::string& line : split_lines(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code) continue;
    for (const std::string& part : parts_between(line, "](", ")")) links.push_back(part);
    const std::size_t colon = line.find("]: ");
    if (line.starts_with("[") && colon != std::string::npos)
      links.push_back(line.substr(colon + 3));
  }
  return links;
}

// GitHub's pages about the repository are two folders above its files. The first is about a
// workflow, the second about what site.yml has published.
constexpr std::string_view kActions = "../../actions/workflows/";
constexpr std::string_view kPublished = "../../deployments/github-pages";

bool leads_somewhere(const fs::path& root, const fs::path& page, const std::string& link) {
  if (link.starts_with("http")) return true;
  const fs::path workflows = root / ".github/workflows";
  if (link.starts_with(kActions))
    return fs::exists(workflows / *fs::path(link.substr(kActions.size())).begin());
  if (link == kPublished) return fs::exists(workflows / "site.yml");
  const std::size_t hash = std::min(link.find('#'), link.size());
  const fs::path target = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
  if (!fs::exists(target)) return false;
  return hash == link.size() || has_anchor(target, link.substr(hash + 1));
}

}  // namespace

Links links_in(const fs::path& root, const std::vector<fs::path>& files) {
  Links links;
  for (const fs::path& file : files) {
    if (file.extension() != ".md") continue;
    for (const std::string& link : links_of(read_file(root / file))) {
      ++links.num;
      if (!leads_somewhere(root, root / file, link))
        links.broken += file.string() + ": " + link + "\n";
    }
  }
  return links;
}

}  // namespace kv::grader
