#include "common/errors.h"
#include "grader/program/maintainer/check/drawn_page.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/grading/locate.h"
#include "grader/program/student/pages/grading_page.h"
#include "grader/program/student/report/report.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMaxPageBytes = 1'500'000;
constexpr const char* kBug = "free_blocks-in-reverse";

// What would change the page if it were markup.
const std::string kMarkup =
    "</script><script>document.title = 'owned'</script><img src=x onerror=\"document.title = "
    "'owned'\"><b>bold</b>";

// A grading of lab 02 with a known bug, and its page.
class GradedBug {
 public:
  GradedBug(const Kit& kit, const Variation& bug)
      : kit_(kit),
        lab_(kit.manifest.lab("02")),
        submission_(stage_submission(
            kit, write_variation(kit, lab_, bug).string(), {&lab_}, kit.build / "page-stage")) {
    ScratchBuild build = shared_scratch_build(kit);
    result_ = build.grade(lab_, submission_.tree.string(), {.seed = kit.manifest.seed});
    locate_failures(build.build_tree().program("lab02_tests"), submission_, result_);
  }

  LabResult& result() { return result_; }
  const LabResult& result() const { return result_; }
  const fs::path& page() const { return page_; }
  fs::path staged_file() const { return submission_.stage / lab_.folder / lab_.files.front(); }

  void write_page() const {
    Report report{.submission = &submission_, .provenance = {}, .seed = 0};
    report.labs.push_back(result_);
    pages::write_page(kit_, report, page_);
  }

  TestResult& first_failure() {
    for (TestResult& test : result_.tests) {
      if (test.failed()) return test;
    }
    throw KitBroken("the known bug of lab 02 passes");
  }

 private:
  const Kit& kit_;
  const LabSpec& lab_;
  Submission submission_;
  LabResult result_{};
  fs::path page_ = kit_.build / "pages" / "report.html";
};

// Goes from the last call to the first, and looks at each.
void check_story(const TestResult& test, Browser& browser, Checks& checks) {
  const DrawnPage page(browser);
  const Json story = json_of(test.verdict.story);
  std::string wrong;
  browser.value_of("document.querySelector('.failure[open] .steps').focus()");
  for (std::size_t step = story["steps"].size(); step > 0; --step) {
    const Json& state = story["steps"][step - 1]["state"];
    if (page.step() != step) wrong += "call " + std::to_string(step) + " is not shown\n";
    if (state.is_object()) wrong += page.difference_from(state);
    browser.press("ArrowLeft");
  }
  wrong += page.difference_from(story["start"]["state"]);
  checks.expect(wrong.empty() && page.step() == 0,
                "a recorded failure: " + std::to_string(story["steps"].size()) +
                    " calls backwards, each drawn as it was recorded",
                wrong);
  browser.press("End");
  checks.expect(page.text_of(".failure[open] .ending") == test.verdict.headline &&
                    page.count(".failure[open] .expected .wrong") > 0 &&
                    page.text_of(".failure[open] .expected .wrong .mark") == "≠ differs",
                "the last call: what went wrong, and what differs from what was expected");
  checks.expect(
      page.text_of(".failure[open] .listing .code").find("free_blocks") != std::string::npos &&
          page.count(".failure[open] .listing .marked") == 1,
      "the student's function, and the line of the check that failed");
}

void check_scoreboard(const GradedBug& bug, const DrawnPage& page, Checks& checks) {
  const std::string board = page.text_of(".scoreboard");
  const std::string score = std::to_string(bug.result().points(true)) + "/100";
  checks.expect(
      board.find("02 Block pool") != std::string::npos && board.find(score) != std::string::npos,
      "the scoreboard has the lab and its points", board);
}

// The keyboard alone is enough to go to the second failure and open it.
void check_keyboard(Browser& browser, Checks& checks) {
  const DrawnPage page(browser);
  const std::string is_there =
      "document.activeElement === document.querySelectorAll('.failure summary')[1]";
  const std::size_t num_open = page.count(".failure[open]");
  bool is_reached = false;
  for (int tab = 0; tab < 60 && !is_reached; ++tab) {
    browser.press("Tab");
    is_reached = browser.value_of(is_there);
  }
  browser.press("Enter");
  checks.expect(is_reached && page.count(".failure[open]") == num_open + 1,
                "a failure is reached and opened with the keyboard");
}

void check_print(Browser& browser, Checks& checks) {
  browser.set_printing(true);
  const bool has_state = browser.value_of(
      "document.querySelector('.failure[open] .blocks').getClientRects().length > 0");
  const bool has_buttons =
      browser.value_of("document.querySelector('.controls').getClientRects().length > 0");
  browser.set_printing(false);
  checks.expect(has_state && !has_buttons, "in print: the state, and no buttons");
}

void check_markup(GradedBug& bug, Browser& browser, Checks& checks) {
  TestResult& test = bug.first_failure();
  test.printed = test.verdict.headline = kMarkup;
  bug.result().warnings = {kMarkup};
  bug.write_page();
  browser.open(bug.page());
  const DrawnPage page(browser);
  const bool is_text = page.text_of(".failure[open] .printed pre") == kMarkup &&
                       page.text_of(".remark") == kMarkup &&
                       page.text_of(".failure[open] .ending") == kMarkup;
  const bool is_owned = browser.value_of("document.title") == "owned";
  checks.expect(is_text && !is_owned && page.count("img, b:not([aria-hidden])") == 0,
                "output with HTML and scripts stays text");
  page.expect_sound(checks, "the same page");
}

// Adds what lab 06 would report, which takes long to build: one finding, and a line that moves 32
// times too much.
void check_kernel_lines(GradedBug& bug, Browser& browser, Checks& checks) {
  KernelLines& lines = bug.first_failure().verdict.kernel_lines;
  const std::string file = bug.staged_file().string();
  lines.findings = {{.file = file, .line = 12, .kind = "out-of-bounds", .what = kMarkup}};
  lines.traffic = {
      {.file = file, .line = 14, .is_read = true, .width = 4, .moved = 3072, .least = 96},
      {.file = file, .line = 15, .is_shared = true, .width = 4, .moved = 7, .least = 7}};
  bug.write_page();
  browser.open(bug.page());
  const DrawnPage page(browser);
  const std::string row = ".kernel tr:nth-child(15) ";  // the finding is a row, too
  checks.expect(page.text_of(".kernel .finding").find(kMarkup) != std::string::npos &&
                    page.count(".kernel .marked") == 1 && page.text_of(row + "th") == "14" &&
                    page.text_of(row + ".heat") == "3,072 · 32.0×" &&
                    page.text_of(".kernel tr:nth-child(16) .heat + .heat") == "7",
                "findings at their lines, and what each line moves beside it",
                page.text_of(".kernel table"));
  page.expect_sound(checks, "a page with kernels");
}

// The largest page: everything fails, and each story is as long as a story can be.
void check_size(GradedBug& bug, Checks& checks) {
  constexpr int kNumFailures = 500;
  const TestResult failure = bug.first_failure();
  bug.result().tests.assign(kNumFailures, failure);
  for (TestResult& test : bug.result().tests) test.printed.assign(2000, '<');
  bug.write_page();
  const auto size = fs::file_size(bug.page());
  checks.expect(size < kMaxPageBytes, "500 failures make a page of less than 1.5 MB",
                std::to_string(size) + " bytes");
}

}  // namespace

void check_report_page(const Kit& kit, Browser& browser, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("02");
  for (const Variation& variation : load_variations(kit, lab, "known_bugs")) {
    if (variation.name != kBug) continue;
    GradedBug bug(kit, variation);
    bug.write_page();
    browser.open(bug.page());
    const DrawnPage page(browser);
    check_scoreboard(bug, page, checks);
    check_story(bug.first_failure(), browser, checks);
    page.expect_both_themes(checks, "the report");
    check_print(browser, checks);
    page.expect_sound(checks, "the report");
    browser.open(bug.page());
    check_keyboard(browser, checks);
    check_markup(bug, browser, checks);
    check_kernel_lines(bug, browser, checks);
    return check_size(bug, checks);
  }
  checks.expect(false, std::string("lab 02 has the known bug ") + kBug);
}

}  // namespace kv::grader
