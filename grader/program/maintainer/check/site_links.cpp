#include <map>
#include <set>

#include "grader/program/maintainer/check/documents.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

struct PageLinks {
  std::set<std::string> anchors;
  std::vector<std::string> links;
};

// The path that a link means: "a%20b" is "a b".
std::string without_percent_signs(const std::string& link) {
  std::string text;
  for (std::size_t i = 0; i < link.size(); ++i) {
    const bool is_code = link[i] == '%' && i + 2 < link.size();
    text += is_code ? static_cast<char>(std::stoi(link.substr(i + 1, 2), nullptr, 16)) : link[i];
    i += is_code ? 2 : 0;
  }
  return text;
}

// The tags of a page. Why only they: a text can be about HTML.
std::string tags_of(const std::string& html) {
  std::string tags;
  for (const std::string& tag : parts_between(html, "<", ">")) tags += tag + "\n";
  return tags;
}

PageLinks links_of(const fs::path& page) {
  const std::string html = tags_of(read_file(page));
  PageLinks found;
  for (const std::string& anchor : parts_between(html, " id=\"", "\""))
    found.anchors.insert(anchor);
  for (const std::string_view attribute : {" href=\"", " src=\""}) {
    for (const std::string& link : parts_between(html, attribute, "\""))
      found.links.push_back(without_percent_signs(replace_all(link, "&amp;", "&")));
  }
  return found;
}

bool leads_outside(const std::string& link) {
  return link.starts_with("http") || link.starts_with("data:");
}

}  // namespace

std::string broken_links(const fs::path& folder, std::size_t& num_links) {
  std::map<fs::path, PageLinks> pages;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".html") pages[entry.path()] = links_of(entry.path());
  }
  std::string broken;
  for (const auto& [page, content] : pages) {
    for (const std::string& link : content.links) {
      ++num_links;
      if (leads_outside(link)) continue;
      const std::size_t hash = std::min(link.find('#'), link.size());
      const fs::path target =
          hash == 0 ? page : (page.parent_path() / link.substr(0, hash)).lexically_normal();
      const std::string anchor = hash == link.size() ? "" : link.substr(hash + 1);
      const auto found = pages.find(target);
      const bool is_there = anchor.empty()
                                ? fs::exists(target)
                                : found != pages.end() && found->second.anchors.contains(anchor);
      if (!is_there) broken += fs::relative(page, folder).string() + ": " + link + "\n";
    }
  }
  return broken;
}

}  // namespace kv::grader
