"""report in a browser: the page of ./lab grade --html"""

import json
from types import SimpleNamespace

import pytest

from browser import count, emulate, expect_both_themes, expect_narrow, press, text_of
from kit import GRADED, copy_lab, lab_of, replace_in, write_step
from player import drawn_state, recorded_state, step_of

pytestmark = pytest.mark.full

POOL, KERNELS = lab_of("02"), lab_of("06")
FIRST = "#lab02 .failure[open] "  # the failure that is open from the beginning

# What would change the page if it were markup.
MARKUP = ("</script><script>document.title = 'owned'</script><img src=x "
          "onerror=\"document.title = 'owned'\"><b>bold</b>")
QUOTED = json.dumps(MARKUP)

# It prints, and adds the blocks from the back: the known bug free_blocks-in-reverse.
FREE_BLOCKS = f"""
  static const bool is_printed = std::puts({QUOTED}) >= 0;
  for (std::size_t i = is_printed ? 0 : 1; i < ordered_blocks.size(); ++i) {{
    KVCacheBlock& block = *ordered_blocks[ordered_blocks.size() - 1 - i];
"""

# Neighboring threads read from different sectors. With 256 elements this is right. With fewer,
# threads past the end fail the assertion.
VECTOR_ADD = f"""
  __shared__ float staged[kNumThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = i * 33 % 256;
  assert((n == 256 || i < n) && {QUOTED});
  staged[threadIdx.x] = b[j];
  __syncthreads();
  const float left = a[j];
  sum[j] = left + staged[threadIdx.x];
"""


def write_pool(tree):
    copy_lab(POOL, tree, "solution")
    file = tree / POOL.folder / "block_pool.cpp"
    replace_in(file, """
  for (std::size_t i = 0; i < ordered_blocks.size(); ++i) {
    KVCacheBlock& block = *ordered_blocks[i];
""", FREE_BLOCKS)
    replace_in(file, "double BlockPool::get_usage() const {\n",
               "double BlockPool::get_usage() const {\n"
               f"  throw std::runtime_error({QUOTED});\n")
    includes = "#include <cstdio>\n#include <stdexcept>\n"
    file.write_text(f"#warning {MARKUP}\n{includes}{file.read_text()}")


def write_kernels(tree):
    copy_lab(KERNELS, tree)
    write_step(KERNELS, tree, "6.1", VECTOR_ADD.strip())
    file = tree / KERNELS.folder / "warmup.cu"
    file.write_text("#include <cassert>\n" + file.read_text())
    return file.read_text().split("\n")


@pytest.fixture(scope="module")
def graded(kit):
    tree = kit.new_folder("tree")
    write_pool(tree)
    kernels = write_kernels(tree)
    page, report = kit.build / "report.html", kit.build / "report.json"
    kit.lab("grade", "02", "06", "--tree", tree, "--html", page, "--json", report).expect(GRADED)
    pool = json.loads(report.read_text())["labs"][0]
    first = next(test for test in pool["tests"] if test["status"] == "fail")
    return SimpleNamespace(page=page, pool=pool, first=first, kernels=kernels)


@pytest.fixture
def report(show, graded):
    show(graded.page)
    return graded


def test_the_scoreboard_has_the_labs_and_their_points(report, browser):
    board = text_of(browser, ".scoreboard")
    assert "02 Block pool" in board and f"{report.pool['score']}/100" in board
    assert "06 The CUDA kernel" in board and "1/100" in board


def test_each_call_of_a_failure_is_drawn_as_it_was_recorded(report, browser):
    story = report.first["story"]
    assert len(story["steps"]) == 3
    browser.execute_script("document.querySelector('.failure[open] .steps').focus()")
    for step in [*reversed(story["steps"]), story["start"]]:
        assert step_of(browser) == step["step"]
        assert drawn_state(browser) == recorded_state(step["state"])
        press(browser, "ARROW_LEFT")


def test_the_last_call_has_what_went_wrong_and_what_differs(report, browser):
    assert "what went wrong: " + text_of(browser, FIRST + ".ending") in report.first["output"]
    assert count(browser, FIRST + ".expected .wrong") > 0
    assert text_of(browser, FIRST + ".expected .wrong .mark") == "≠ differs"


def test_the_students_function_is_shown_and_the_line_of_the_check_that_failed(report, browser):
    assert "free_blocks" in text_of(browser, FIRST + ".listing .code")
    assert count(browser, FIRST + ".listing .marked") == 1


def test_a_failure_is_reached_and_opened_with_the_keyboard(report, browser):
    is_reached = ("return document.activeElement"
                  " === document.querySelectorAll('.failure summary')[1]")
    num_open = count(browser, ".failure[open]")
    for _ in range(60):
        press(browser, "TAB")
        if browser.execute_script(is_reached):
            break
    press(browser, "ENTER")
    assert browser.execute_script(is_reached)
    assert count(browser, ".failure[open]") == num_open + 1


def test_print_has_the_state_and_no_buttons(report, browser):
    emulate(browser, media="print")
    rects = "return document.querySelector(arguments[0]).getClientRects().length"
    assert browser.execute_script(rects, ".failure[open] .blocks") > 0
    assert browser.execute_script(rects, ".controls") == 0
    emulate(browser)


def test_output_with_html_and_scripts_stays_text(report, browser):
    for summary in browser.find_elements("css selector", ".failure:not([open]) summary"):
        summary.click()
    endings = [element.get_property("innerText")
               for element in browser.find_elements("css selector", ".ending")]
    assert text_of(browser, FIRST + ".printed pre").strip() == MARKUP
    assert f"an exception came out of your code: {MARKUP}" in endings
    assert MARKUP in text_of(browser, ".remark + .remark")
    assert browser.title != "owned"
    assert count(browser, "img, b:not([aria-hidden])") == 0


def test_findings_are_at_their_lines_and_what_each_line_moves_is_beside_it(report, browser):
    def row_of(part):  # the finding is a row, too
        line = next(i for i, text in enumerate(report.kernels, 1) if part in text)
        row = f".kernel tbody tr:nth-child({line + ('assert' not in part)})"
        assert text_of(browser, f"{row} th") == str(line)
        return row

    finding = text_of(browser, row_of("assert(") + ".marked + .finding")
    assert finding.startswith("▲ assert, in block (0,0,0) of vector_add")
    assert QUOTED in finding
    assert count(browser, ".kernel .marked") == 1
    assert text_of(browser, row_of("left = a[j]") + " .heat") == "256 · 8.0×"
    assert text_of(browser, row_of("= b[j]") + " .heat + .heat") == "8"


def test_the_page_is_light_and_dark_and_fits_a_phone(report, browser):
    expect_both_themes(browser)
    expect_narrow(browser)
