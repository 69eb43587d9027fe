// The pages of ./lab similar, in a browser.

#include "grader/program/maintainer/check/drawn_page.h"
#include "grader/program/maintainer/check/handed_in_copies.h"
#include "grader/program/maintainer/check/pages.h"
#include "grader/program/maintainer/check/similar.h"

namespace kv::grader {
namespace {

// Whether the number of the last place is in view, on each side.
constexpr const char* kIsInView = R"JS([...document.querySelectorAll('.side')].map((side) => {
  const last = document.querySelectorAll('.places button').length;
  const number = side.querySelector(`.source [data-place="${last}"]`);
  const source = number.closest('.source').getBoundingClientRect();
  const box = number.getBoundingClientRect();
  return box.top >= source.top && box.bottom <= source.bottom;
}))JS";

void check_pair(const SimilarRun& run, Browser& browser, Checks& checks) {
  browser.open(run.out / "pairs/lab04-0001.html");
  const DrawnPage page(browser);
  checks.expect(page.count(".side") == 2 && page.count(".side:first-child mark") > 20 &&
                    page.count(".side:last-child mark") > 20,
                "a pair: two texts with marks", page.text_of("main"));
  checks.expect(page.text_of(".side h2") == "<b>ada<" &&
                    page.text_of(".side:last-child .code").starts_with("// <img src=x") &&
                    page.text_of("title").find("<b>ada<") != std::string::npos,
                "a pair: markup is text", page.text_of(".side"));
  const bool is_in_view_before = browser.value_of(kIsInView) == Json({true, true});
  browser.value_of("[...document.querySelectorAll('.places button')].at(-1).click()");
  checks.expect(!is_in_view_before && browser.value_of(kIsInView) == Json({true, true}),
                "a pair: a number brings its place into view on both sides");
  page.expect_both_themes(checks, "a pair");
  page.expect_sound(checks, "a pair");
}

}  // namespace

void check_similar_pages(const Kit& kit, Browser& browser, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("04");
  HandedInCopies class_folder(kit, kit.build / "class-on-a-page");
  for (const char* name : {"<b>ada<", "ben"}) class_folder.add_alternative(lab, "two-maps", name);
  const std::string file = "ben/" + lab.folder + "/copy_on_write.cpp";
  class_folder.write(
      file, "// <img src=x onerror=\"document.title = 'owned'\">\n" + class_folder.read(file));
  const SimilarRun run(kit, class_folder.folder());
  if (run.pairs.size() != 1) return checks.expect(false, "a pair to look at", run.text());
  browser.open(run.out / "index.html");
  const DrawnPage page(browser);
  checks.expect(
      page.count(".pairs tbody tr") == 1 && page.text_of(".pairs tbody a") == "<b>ada<, ben",
      "the table of pairs", page.text_of("main"));
  page.expect_sound(checks, "the table of pairs");
  check_pair(run, browser, checks);
}

}  // namespace kv::grader
