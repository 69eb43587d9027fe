// The page of a class, in a browser.

#include "grader/program/course/classroom/index_page.h"
#include "grader/program/maintainer/check/drawn_page.h"
#include "grader/program/maintainer/check/pages.h"

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

}  // namespace kv::grader
