"""report in a browser: the page of ./lab simt --html"""

import pytest

from browser import (DESK, PHONE, click, count, expect_both_themes, expect_narrow, set_width,
                     text_of)
from kit import GRADED, NOT_FULL, ROOT, USAGE

pytestmark = pytest.mark.full

# 32 lanes read one column of shared memory, each second lane another element of device memory.
SOURCE = """#include <cstdio>
__global__ void spread(const float* in, float* out) {
  __shared__ float tile[32][32];
  int lane = threadIdx.x;
  tile[lane][0] = lane % 2 == 0 ? in[8 * lane] : 0;  // <b>&amp;
  __syncwarp();
  if (lane < 3) {
    out[lane] = tile[lane][0];
  }
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMemset(in, 0, 1024);
  cudaMalloc(&out, 12);
  spread<<<2, 32>>>(in, out);
  cudaFree(in);
}
"""


@pytest.fixture(scope="module")
def cuda_page(kit):
    source, page = kit.build / "<spread>.cu", kit.build / "spread.html"
    source.write_text(SOURCE)
    kit.lab("simt", source, "--html", page).expect(NOT_FULL, "leak")
    return page


@pytest.fixture
def page(show, cuda_page):
    show(cuda_page)


def lit(browser):
    return count(browser, ".block-steps .on")


def test_the_source_has_its_findings_and_costs(page, browser):
    assert text_of(browser, "header h1").endswith("<spread>.cu")
    assert count(browser, ".cuda-columns > div:first-child .code") == SOURCE.count("\n")
    assert "leak" in text_of(browser, ".finding") or "global-race" in text_of(browser, ".finding")
    # 16 lanes of each of two blocks want 16 sectors, which 2 could hold: 64 bytes.
    cells = browser.execute_script(
        "return [...document.querySelectorAll('.heat')].map((cell) => cell.innerText)")
    assert "32 · 8.0×" in cells
    assert "64 · 32.0×" in cells  # a column: 32 wavefronts in each block


def test_a_finding_is_read_without_scrolling(page, browser):
    script = ("const right = (part) => document.querySelector(part).getBoundingClientRect().right;"
              "return right('.source') - right('.finding div')")
    for width in (DESK, PHONE):
        set_width(browser, width)
        assert browser.execute_script(script) >= 0
    set_width(browser, DESK)


def test_a_number_shows_the_worst_request_of_its_line(page, browser):
    browser.execute_script("[...document.querySelectorAll('button.line')]"
                           ".find((button) => button.innerText === '5').click()")
    captions = browser.execute_script(
        "return [...document.querySelectorAll('.access figcaption')].map((each) => each.innerText)")
    assert len(captions) == 2
    device = next(text for text in captions if "device memory" in text)
    shared = next(text for text in captions if "shared memory" in text)
    assert device.startswith("spread, line 5, reads 4 bytes a lane")
    assert device.endswith("16 lanes, 4 bytes each: 16 sectors, at least 2.")
    assert shared.endswith("32 lanes, 4 bytes each: 32 wavefronts, at least 1.")
    assert count(browser, ".access rect.crowded") == 1  # one bank has all words
    assert count(browser, ".access rect.idle") == 16 + 31  # lanes that read nothing; other banks
    assert count(browser, ".access line") == 16 + 32


def test_a_block_runs_step_by_step(page, browser):
    assert text_of(browser, ".block-steps .where").startswith("Step 1 of ")
    assert lit(browser) == 32
    seen = set()
    for _ in range(40):
        click(browser, "Next")
        seen.add(lit(browser))
    assert 3 in seen  # the lanes that write a result
    last = text_of(browser, ".block-steps .where")
    click(browser, "Next")
    assert text_of(browser, ".block-steps .where") == last
    for _ in range(60):
        click(browser, "Back")
    assert text_of(browser, ".block-steps .where").startswith("Step 1 of ")


def test_it_is_readable_on_a_phone_and_in_the_dark(page, browser):
    expect_narrow(browser)
    expect_both_themes(browser)


def test_a_program_without_a_kernel_has_a_page(kit, show, browser):
    source, page = kit.build / "nothing.cu", kit.build / "nothing.html"
    source.write_text("int main() {}\n")
    kit.lab("simt", source, "--html", page).expect(GRADED)
    show(page)
    assert text_of(browser, ".subtitle").startswith("0 findings")


@pytest.mark.parametrize("option", [["--no-profile"], ["--format", "sanitizer"]])
def test_a_page_without_a_profile_is_refused(kit, option):
    outcome = kit.lab("simt", ROOT / "simt/examples/scan.cu", "--html", "scan.html", *option)
    outcome.expect(USAGE, "--html needs the profile")
