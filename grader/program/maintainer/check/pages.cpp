// The pages of `./lab grade --html`, `play`, `class` and `similar`, in a browser.

#include "grader/program/maintainer/check/pages.h"

namespace kv::grader {

void check_pages(const Kit& kit, Checks& checks) {
  const auto program = Browser::find();
  if (!program) return checks.unavailable("pages in a browser", "chromium");
  Browser browser(*program, kit.build / "browser");
  check_report_page(kit, browser, checks);
  check_player_page(kit, browser, checks);
  check_class_page(kit, browser, checks);
  check_similar_pages(kit, browser, checks);
}

}  // namespace kv::grader
