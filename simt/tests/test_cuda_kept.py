"""./lab simt: what was compiled before is kept while nothing has changed that it is made of"""

import re

import pytest

from kit import GRADED, NOT_FULL, USAGE, write_program

PROGRAM = """#include "sizes.h"
#include <cuda_runtime.h>
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main() {
  int* x;
  cudaMalloc(&x, kNum * sizeof(int));
  fill<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
"""

# Notes each file that it makes, and compiles as g++ does.
COMPILER = """#!/bin/sh
out=
for word in "$@"; do
  [ "$out" != -o ] || basename "$word" >>NOTES
  out=$word
done
exec g++ "$@"
"""


class Program:
    def __init__(self, kit):
        self.kit = kit
        self.folder = kit.new_folder("a program")
        self.notes = self.folder / "notes.txt"
        self.compiler = self.folder / "g++"
        write_program(self.compiler, COMPILER.replace("NOTES", f'"{self.notes}"'))
        self.write("sizes.h", "constexpr int kNum = 32;\n")
        self.write("fill.cu", PROGRAM)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, *options):
        """What was made for this run, and how it has ended."""
        self.notes.write_text("")
        outcome = self.kit.lab("simt", "--compiler", self.compiler, *options,
                               self.folder / "fill.cu", env={"CCACHE_DIR": ""})
        made = sorted(set(self.notes.read_text().split()) - {"cuda_runtime.h.gch"})
        return made, outcome


@pytest.fixture
def cuda(kit):
    made = Program(kit)
    made.run()[1].expect(GRADED)
    return made


ALL = ["program", "program0.o"]


def test_a_second_run_makes_nothing_and_says_the_same(cuda):
    before = cuda.run()
    again = cuda.run()
    assert before[0] == again[0] == [] and before[1].output == again[1].output
    made, listing = cuda.run("--annotate")
    assert made == [] and "fill.cu" in listing.output


def test_a_changed_header_is_compiled_with_what_includes_it(cuda):
    cuda.write("sizes.h", "// smaller\nconstexpr int kNum = 31;\n")
    made, outcome = cuda.run()
    assert made == ALL
    outcome.expect(NOT_FULL, "out-of-bounds")
    assert cuda.run()[0] == []


def test_a_line_more_moves_what_is_found(cuda):
    cuda.write("sizes.h", "constexpr int kNum = 31;\n")
    place = re.search(r"fill\.cu:(\d+)", cuda.run()[1].output)
    cuda.write("fill.cu", "\n" + PROGRAM)
    moved = re.search(r"fill\.cu:(\d+)", cuda.run()[1].output)
    assert int(moved[1]) == int(place[1]) + 1


def test_a_header_that_is_gone_is_missing(cuda):
    (cuda.folder / "sizes.h").unlink()
    cuda.run()[1].expect(USAGE, "sizes.h: No such file")


def test_a_header_before_the_one_that_was_read_counts(cuda):
    """A folder that is searched first has none of this name at first."""
    cuda.write("fill.cu", PROGRAM.replace('"sizes.h"', "<sizes.h>"))
    first, second = cuda.folder / "first", cuda.folder / "second"
    for folder in (first, second):
        folder.mkdir()
    (second / "sizes.h").write_text("constexpr int kNum = 32;\n")
    options = ["-I", first, "-I", second]
    cuda.run(*options)[1].expect(GRADED)
    (first / "sizes.h").write_text("constexpr int kNum = 31;\n")
    cuda.run(*options)[1].expect(NOT_FULL, "out-of-bounds")


def test_a_macro_is_a_part_of_the_command(cuda):
    cuda.write("fill.cu", PROGRAM.replace("threadIdx.x]", "threadIdx.x + AHEAD]"))
    cuda.run("-DAHEAD=0")[1].expect(GRADED)
    cuda.run("-DAHEAD=1")[1].expect(NOT_FULL, "out-of-bounds")
    assert cuda.run("-DAHEAD=0")[0] == ALL


def test_a_file_that_did_not_compile_is_compiled_again(cuda):
    cuda.write("fill.cu", PROGRAM.replace("int main", "int main("))
    for _ in range(2):
        made, outcome = cuda.run()
        assert "program0.o" in made
        outcome.expect(USAGE, "does not compile")
    cuda.write("fill.cu", PROGRAM)
    cuda.run()[1].expect(GRADED)
