// The page of a class, in a browser.

#include "grader/program/course/classroom/class_state.h"
#include "grader/program/maintainer/check/drawn_page.h"
#include "grader/program/maintainer/check/handed_in_copies.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/maintainer/check/similar.h"

namespace kv::grader {
namespace {

// No point of any lab, and one flag.
Json report_of(const std::vector<const LabSpec*>& labs) {
  Json report = {{"score", 0}, {"extra", 0}, {"labs", Json::array()}};
  for (const LabSpec* lab : labs) {
    report["labs"].push_back({{"id", lab->id},
                              {"score", 0},
                              {"max_score", 100},
                              {"state", "does not compile"},
                              {"message", "a.cpp:3:5: error: no <b> here\nint x"},
                              {"diagnosis", ""},
                              {"tests", Json::array()},
                              {"flags", Json::array()}});
  }
  report["labs"][0]["flags"].push_back("a_file_with_a_long_name.cpp refers to <img src=x>");
  return report;
}

}  // namespace

void check_class_page(const Kit& kit, Browser& browser, Checks& checks) {
  std::vector<const LabSpec*> labs;
  for (const LabSpec& lab : kit.manifest.labs) labs.push_back(&lab);
  const classroom::ClassState state{
      .labs = labs,
      .rows = {
          {.name = "<b>ada<", .source_digest = "1", .report = report_of(labs)},
          {.name = "copy", .source_digest = "1", .report = report_of(labs)},
          {.name = "lovelace_12345_a_name_of_a_service_01", .problem = "stopped after 600 s"}}};
  const fs::path file = kit.build / "class-on-a-page.html";
  write_file(file, classroom::index_page(kit, state));
  browser.open(file);
  const DrawnPage page(browser);
  checks.expect(page.count(".submissions tbody tr") == 3 &&
                    page.text_of(".submissions tbody th") == "<b>ada<" &&
                    page.count(".remarks summary") == 2 && page.count("img") == 0,
                "a class: a row for each submission, markup is text", page.text_of("main"));
  const std::string row = page.text_of(".remarks");
  const std::string list = page.text_of("main > section:last-child");
  for (const std::string said :
       {"the same files: <b>ada<, copy", "lab 01 does not compile: a.cpp:3:5: error: no <b> here"})
    checks.expect(row.find(said) != row.npos, "a row of a class: " + said, row);
  for (const std::string said : {"lovelace_12345_a_name_of_a_service_01: stopped after 600 s",
                                 "<b>ada<, copy: lab 01: a.cpp:3:5: error: no <b> here"})
    checks.expect(list.find(said) != list.npos, "to look at in a class: " + said, list);
  page.expect_both_themes(checks, "a class");
  page.expect_sound(checks, "a class");
}

// The pages of ./lab similar, in a browser.

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

// The pages of `./lab grade --html`, `play`, `class` and `similar`, in a browser.

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
