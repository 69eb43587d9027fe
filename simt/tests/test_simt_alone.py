"""simt by itself: built, tested and installed without the rest of the kit"""

import os
import re
import shutil

import pytest

from kit import GRADED, NOT_FULL, ROOT, USAGE, run

pytestmark = pytest.mark.full

NEEDED = ["base", "cmake", "simt"]


@pytest.fixture(scope="module")
def prefix(kit):
    """Why the sources go: nothing of them may be needed afterwards."""
    place = kit.new_folder("simt by itself")
    for folder in NEEDED:
        shutil.copytree(ROOT / folder, place / "source" / folder)
    build = place / "build"
    run(["cmake", "-S", place / "source/simt", "-B", build]).expect(0)
    run(["cmake", "--build", build, "--parallel"]).expect(0)
    run(["ctest", "--test-dir", build, "--output-on-failure"]).expect(0, "100% tests passed")
    run(["cmake", "--install", build, "--prefix", place / "prefix"]).expect(0)
    shutil.rmtree(place / "source")
    shutil.rmtree(build)
    return place / "prefix"


@pytest.fixture
def simt(prefix, tmp_path):
    """Runs the installed program as a user of it does, in an empty folder."""
    user = ["env", "-i", f"PATH={os.environ['PATH']}", f"XDG_CACHE_HOME={tmp_path / 'cache'}"]
    return lambda *words: run([*user, prefix / "bin/simt", *words], cwd=tmp_path)


def test_an_installed_program_names_a_race(prefix, simt):
    examples = prefix / "share/doc/simt/examples"
    simt(examples / "reduction.cu").expect(GRADED, "no findings")
    simt(examples / "broken/reduction.cu").expect(
        NOT_FULL, "1 finding", "shared-race (racecheck) at", "__syncthreads() is missing")


def test_it_says_what_the_lab_says(prefix, simt, kit):
    file = prefix / "share/doc/simt/examples/broken/softmax.cu"
    assert simt(file).output.replace(f"{ROOT}/", "") == kit.lab("simt", file).output


def test_it_draws_a_page_and_calls_a_function(prefix, simt, tmp_path):
    simt(prefix / "share/doc/simt/examples/scan.cu", "--html", "scan.html").expect(GRADED)
    assert "drawPage({ cuda: cudaView })" in (tmp_path / "scan.html").read_text()
    (tmp_path / "scale.cu").write_text(
        "__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }\n")
    simt("scale.cu", "--call", "scale<<<1, 64>>>(float[64], 64)").expect(GRADED)


def test_its_messages_are_its_own(simt):
    simt("gone.cu").expect(USAGE, 'simt: no file "gone.cu"')
    simt("gone.cu", "--nonsense").expect(USAGE, "simt: ", "run simt --help")
    help_page = simt("--help")
    help_page.expect(GRADED, "Usage: simt [OPTIONS] FILE")
    assert "lab" not in help_page.output


def test_links_to_its_examples_lead_there(prefix):
    docs = prefix / "share/doc/simt/docs"
    links = [link for page in docs.glob("*.md")
             for link in re.findall(r"\]\((\.\./examples/[^)#]+)\)", page.read_text())]
    assert len(links) > 10 and all((docs / link).exists() for link in links)
