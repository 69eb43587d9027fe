#include <cmath>
#include <regex>

#include "common/errors.h"
#include "grader/program/course/site/site_build.h"
#include "grader/program/maintainer/check/documents.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/pages/worked_example.h"

namespace kv::grader {
namespace {

void check_links(const Kit& kit, const Site& site, Checks& checks) {
  std::size_t num_links = 0;
  const std::string broken = broken_links(site.folder, num_links);
  checks.expect(broken.empty(), std::to_string(num_links) + " links in the pages, none is broken",
                broken);
  const fs::path planted = kit.build / "site-planted";
  write_file(planted / "other.html", "<p id=\"here\">text</p>");
  write_file(planted / "page.html",
             "<a href=\"other.html#here\">a</a> <a href=\"other.html#gone\">b</a>"
             " <a href=\"gone.html\">c</a> <img src=\"gone.svg\">");
  const std::string found = broken_links(planted, num_links);
  checks.expect(found == "page.html: other.html#gone\npage.html: gone.html\npage.html: gone.svg\n",
                "a link to no page, to no heading and to no picture is found", found);
}

// What the course has and the site has not, a line each.
std::string absent_pages(const Kit& kit, const Site& site, const LabSpec& lab) {
  std::vector<std::string> pages = {"index.html", "HINTS.html"};
  for (const std::string& header : lab.headers) pages.push_back(header + ".html");
  if (!pages::worked_example(kit, lab).empty()) pages.emplace_back("worked_example.html");
  std::string absent;
  for (const std::string& page : pages) {
    if (!fs::exists(site.folder / "labs" / lab.folder / page))
      absent += lab.folder + "/" + page + "\n";
  }
  return absent;
}

// Names of invariants in the contracts that do not lead to docs/invariants.md.
std::string unlinked_invariants(const Kit& kit, const Site& site, const LabSpec& lab) {
  const std::string table = read_file(kit.root / "docs/invariants.md");
  std::string unlinked;
  for (const std::string& header : lab.headers) {
    const std::string text = read_file(kit.lab_folder(lab) / header);
    const std::string page = read_file(site.folder / "labs" / lab.folder / (header + ".html"));
    for (const std::string& number : parts_between(table, "\n| **I", "**")) {
      const std::string link = "docs/invariants.html#i" + number + "\">I" + number + "</a>";
      if (std::regex_search(text, std::regex("\\bI" + number + "\\b")) &&
          page.find(link) == std::string::npos)
        unlinked += lab.folder + "/" + header + ": I" + number + "\n";
    }
  }
  return unlinked;
}

void check_labs(const Kit& kit, const Site& site, Checks& checks) {
  std::string absent, unlinked;
  for (const LabSpec& lab : kit.manifest.labs) {
    absent += absent_pages(kit, site, lab);
    if (absent.empty()) unlinked += unlinked_invariants(kit, site, lab);
  }
  checks.expect(absent.empty(), "each lab's README, hints, contracts and worked example are pages",
                absent);
  checks.expect(unlinked.empty(), "invariants in contracts lead to their row", unlinked);
  checks.expect(!fs::exists(site.folder / "solution"), "no solution is a page");
}

void check_kept_files(const Kit& kit, Checks& checks) {
  const fs::path file = kit.build / "site-planted" / "other.html";
  std::string refusal;
  try {
    build_site(kit, "", file.parent_path());
  } catch (const UsageError& error) {
    refusal = error.what();
  }
  checks.expect(refusal.find("files that are no site") != std::string::npos && fs::exists(file),
                "a folder with other files is refused, and they are kept", refusal);
}

// The texts of the kit, in another folder; without labs, so that no worked example is built again.
Kit copy_of_texts(const Kit& kit) {
  Kit copy = kit;
  copy.root = kit.build / "site-copy";
  copy.build = copy.root / "build";
  copy.manifest.labs.clear();
  fs::remove_all(copy.root);
  fs::create_directories(copy.root);
  for (const char* part : {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Dockerfile",
                           "CMakePresets.json", "cmake", "common", "docs", "grader", "labs",
                           "reference", "simt", "starter"})
    fs::copy(kit.root / part, copy.root / part, fs::copy_options::recursive);
  return copy;
}

void check_refusal(const Kit& kit, Checks& checks) {
  const Kit copy = copy_of_texts(kit);
  const fs::path glossary = copy.root / "docs/glossary.md";
  write_file(glossary, read_file(glossary) + "[a](gone.md) [b](invariants.md#gone)\n");
  std::string refusal;
  try {
    build_site(copy, installed_mkdocs(kit), copy.build / "site");
  } catch (const KitBroken& error) {
    refusal = error.what();
  }
  const bool names_both = refusal.find("'gone.md'") != std::string::npos &&
                          refusal.find("invariants.md#gone") != std::string::npos;
  checks.expect(names_both, "./lab site refuses a text with a broken link, and names the link",
                refusal);
}

}  // namespace

std::optional<Site> built_site(const Kit& kit, Checks& checks) {
  fs::path mkdocs;
  try {
    mkdocs = installed_mkdocs(kit);
  } catch (const UsageError& error) {
    checks.unavailable("the site", error.what());
    return std::nullopt;
  }
  Kit inner = kit;  // Why: the check that calls this holds the lock of the build folder.
  inner.build = kit.build / "site-check";
  return build_site(inner, mkdocs, inner.build / "site");
}

void check_site(const Kit& kit, Checks& checks) {
  const std::optional<Site> site = built_site(kit, checks);
  if (!site) return;
  checks.print("        " + std::to_string(site->num_pages) + " pages in " +
               std::to_string(std::lround(site->seconds)) + " s\n");
  check_links(kit, *site, checks);
  check_labs(kit, *site, checks);
  check_kept_files(kit, checks);
  check_refusal(kit, checks);
}

}  // namespace kv::grader
