// The site as its readers see it: opened from a file, on a phone, searched.

#include <algorithm>
#include <chrono>
#include <thread>

#include "grader/program/maintainer/check/browser.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

constexpr int kPhone = 360, kDesk = 1280;

std::string width_of(Browser& browser) {
  const int width =
      browser.value_of("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)");
  return width <= kPhone ? "" : std::to_string(width) + " pixels wide\n";
}

// Errors on the console, and requests to anything but files.
std::string complaints_of(const Browser& browser) {
  std::string complaints;
  for (const std::string& complaint : browser.complaints()) {
    const bool is_own =
        complaint.starts_with("a request: file:") || complaint.starts_with("a request: data:");
    if (!is_own) complaints += complaint + "\n";
  }
  return complaints;
}

// Why looked for: an answer that is open is read before the question.
std::string open_answers_of(Browser& browser) {
  const int count = browser.value_of(
      "document.querySelectorAll('details[open], h2#answers ~ div.highlight').length");
  return count == 0 ? "" : std::to_string(count) + " answers or hints are not folded\n";
}

// pages: as paths in the site.
void check_pages(const Site& site,
                 const std::string& title,
                 const std::vector<fs::path>& pages,
                 Browser& browser,
                 Checks& checks) {
  std::string wrong;
  browser.set_width(kPhone);
  for (const fs::path& page : pages) {
    browser.open(site.folder / page);
    const std::string found = width_of(browser) + complaints_of(browser) + open_answers_of(browser);
    if (!found.empty()) wrong += page.string() + ": " + found;
  }
  browser.set_width(kDesk);
  checks.expect(!pages.empty() && wrong.empty(),
                title + ", " + std::to_string(pages.size()) +
                    " pages: as wide as a phone, no error, no request, answers folded",
                wrong);
}

std::vector<fs::path> pages_of(const LabSpec& lab) {
  const fs::path folder = fs::path("labs") / lab.folder;
  std::vector<fs::path> pages = {folder / "index.html", folder / "HINTS.html"};
  for (const std::string& header : lab.headers) pages.push_back(folder / (header + ".html"));
  return pages;
}

std::vector<fs::path> pages_in(const Site& site, const std::string& folder) {
  std::vector<fs::path> pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(site.folder / folder)) {
    if (entry.path().extension() == ".html")
      pages.push_back(fs::relative(entry.path(), site.folder));
  }
  std::ranges::sort(pages);
  return pages;
}

// The pages that a search finds, a line each, best first, as soon as there are any.
std::string pages_with(Browser& browser, const std::string& words) {
  browser.value_of(
      "(() => { const query = document.querySelector('.md-search__input');"
      "query.focus(); query.value = " +
      Json(words).dump() +
      ";query.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true })); })()");
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string pages = browser.value_of(
        "[...document.querySelectorAll('.md-search-result__item > a')]"
        ".map((link) => new URL(link.href).pathname).join('\\n')");
    if (!pages.empty()) return pages;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return "";
}

void check_search(const Site& site, Browser& browser, Checks& checks) {
  browser.open(site.folder / "index.html");
  const std::string pages = pages_with(browser, "null block");
  const std::string best = pages.substr(0, pages.find('\n'));
  checks.expect(best.ends_with("/docs/glossary.html"),
                "a search for \"null block\" finds the glossary first, without a server", pages);
  const std::string complaints = complaints_of(browser);
  checks.expect(complaints.empty(), "the search makes no error and no request", complaints);
}

}  // namespace

void check_site_in_browser(const Kit& kit, Checks& checks) {
  const auto program = Browser::find();
  if (!program) return checks.unavailable("the site in a browser", "chromium");
  const std::optional<Site> site = built_site(kit, checks);
  if (!site) return;
  Browser browser(*program, kit.build / "site-browser");
  check_search(*site, browser, checks);
  for (const LabSpec& lab : kit.manifest.labs)
    check_pages(*site, "lab " + lab.id, pages_of(lab), browser, checks);
  check_pages(*site, "docs", pages_in(*site, "docs"), browser, checks);
  check_pages(*site, "the kit", pages_in(*site, "."), browser, checks);
}

}  // namespace kv::grader
