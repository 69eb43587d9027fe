"""the command line: what is made of the words of compilers, programs and users

A script answers in place of CMake, so nothing is built.
"""

import os
import shutil

import pytest

from kit import BROKEN, GRADED, NOT_FULL, ROOT, USAGE

NO_SCORE = "lab: no score, and this is not your fault: "
LAB = "01-free-queue"
SOURCE, HEADER = f"{LAB}/free_kv_cache_block_queue.cpp", f"{LAB}/free_kv_cache_block_queue.h"

OF_THE_MACHINE = [
    "a.cpp:7:1: fatal error: error writing to /tmp/x.s: No space left on device",
    "/tmp/x.s: Fatal error: can't fill 256 bytes in a.cpp.o: 'No space left on device'",
    "/usr/bin/ld: final link failed: No space left on device",
    "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]",
    "c++: fatal error: Killed signal terminated program cc1plus",
    "virtual memory exhausted: Cannot allocate memory",
    "Too many open files",
    "ninja: fatal: pipe: Too many open files",
    "ninja: error: manifest 'build.ninja' still dirty after 100 tries",
]
OF_THE_STUDENT = [
    "a.cpp:3:5: error: 'Killed' was not declared in this scope",
    "   12 |   return;  // No space left on device",
    '  throw Error("out of memory");',
    "a.cpp:3:2: error: #error a: Too many open files",
    "a.cpp:1:10: fatal error: nowhere.h: No such file or directory",
]


@pytest.fixture
def tree(kit):
    """The solution of lab 01, with one header of its contract."""
    tree = kit.new_folder("tree")
    shutil.copytree(ROOT / "solution" / LAB, tree / LAB)
    shutil.copy(ROOT / "labs" / HEADER, tree / HEADER)
    return tree


@pytest.mark.parametrize("line", OF_THE_MACHINE)
def test_what_the_machine_refuses_is_not_the_students_fault(fake_cmake, tree, line):
    fake_cmake.fails_with(line + "\n")
    outcome = fake_cmake.lab("grade", "01", "--tree", tree)
    outcome.expect(BROKEN, NO_SCORE, f'and run the command again ("{line}")')


@pytest.mark.parametrize("line", OF_THE_STUDENT)
def test_words_of_a_source_do_not_blame_the_machine(fake_cmake, kit, tree, line):
    error = f"{kit.build}/stage/{SOURCE}:3:5: error: expected ';'"
    fake_cmake.fails_with(f"{error}\n{line}\n")
    outcome = fake_cmake.lab("grade", "01", "--tree", tree)
    outcome.expect(GRADED, "does not compile", "expected ';'")
    outcome.expect_no(NO_SCORE)


@pytest.mark.parametrize("changed, kept", [
    (SOURCE, ["other source", "tests", "reference", "reference's program"]),
    (HEADER, ["reference", "reference's program"]),
])
def test_what_was_made_of_a_changed_file_is_removed(fake_cmake, kit, tree, changed, kept):
    shutil.rmtree(kit.build / "grade", ignore_errors=True)
    fake_cmake.lab("grade", "01", "--tree", tree)  # ends well: this is what was built
    objects = kit.build / "grade/CMakeFiles"
    made = {
        "source": objects / f"lab01_student.dir/stage/{SOURCE}.o",
        "other source": objects / f"lab01_student.dir/stage/{LAB}/compact_free_queue.cpp.o",
        "tests": objects / "lab01_tests.dir/unity.cxx.o",
        "reference": objects / f"lab01_solution.dir/{SOURCE}.obj.o",
        "program": kit.build / "grade/lab01_tests",
        "reference's program": kit.build / "grade/lab01_reference",
    }
    for file in made.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")

    (tree / changed).write_text((tree / changed).read_text() + "// another text\n")
    fake_cmake.fails_with(f"{kit.build}/stage/{SOURCE}:3:5: error: expected ';'\n")
    fake_cmake.lab("grade", "01", "--tree", tree).expect(GRADED, "does not compile")
    assert [name for name, file in made.items() if file.exists()] == kept


def predict(fake_cmake, kit, typed, printed):
    """The first question of lab 01, to a solution that prints this."""
    (kit.build / "predict/CMakeFiles").mkdir(parents=True, exist_ok=True)
    program = kit.build / "predict/lab01_predict_solution"
    program.write_text(f"#!/bin/sh\necho '{printed}'\n")
    program.chmod(0o755)
    return fake_cmake.lab("predict", "1", "--question", "1", stdin=f"{typed}\n\n")


@pytest.mark.parametrize("typed, printed", [
    ("FREE : [#3,4]", "free: 3 4"),
    ("refs:2:1   3 : 1 ", "refs: 2:1 3:1"),
    ("v1: 2.0 0.50 10.", "v1: 2 0.5 10"),
    ("cached:", "cached: "),
])
def test_predict_takes_the_same_line_in_other_words(fake_cmake, kit, typed, printed):
    predict(fake_cmake, kit, typed, printed).expect(GRADED, "\nRight.\n\n1 of 1 right\n")


@pytest.mark.parametrize("typed, printed", [
    ("free: 34", "free: 3 4"),
    ("free: 4 3", "free: 3 4"),
    ("refs: 2 1", "refs: 2:1"),
    ("free 3", "free: 3"),
    ("slots: 100", "slots: 1"),
    ("attend: 2.05", "attend: 2.5"),
    ("append: none", "append_n: none"),
])
def test_predict_sees_another_line(fake_cmake, kit, typed, printed):
    outcome = predict(fake_cmake, kit, typed, printed)
    outcome.expect(NOT_FULL, "The first line that differs is line 1:", "0 of 1 right")


@pytest.mark.parametrize("typed, printed", [
    (b"a\tb\nc", "a\tb\nc"),
    ("é … 😀".encode(), "é … 😀"),
    (b"caf\xE9!", "caf\uFFFD!"),
    (b"\xC3", "\uFFFD"),
    (b"\xC0\x80", "\uFFFD\uFFFD"),
    (b"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"),
    (b"\xEF\xBF\xBE", "\uFFFD\uFFFD\uFFFD"),
    (b"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"),
    (b"\x1B[31mred\x01\r\x7F\xC2\x9B", "[31mred"),
])
def test_every_text_is_utf_8_without_control_characters(kit, typed, printed):
    outcome = kit.lab("grade", "--tree", os.fsdecode(typed))
    outcome.expect(USAGE, f'"{printed}"')
