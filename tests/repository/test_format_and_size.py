"""texts: format and size: the form of C++, the lengths of files and functions, stray stubs"""

import ast
import re

from kit import run
from texts import expect_none, files_in, read

FOLDERS = ["labs", "starter", "solution", "reference", "apps", "base", "simt", "grader",
           "tests"]
OWN_PYTHON = ["apps", "grader", "simt", "tests"]  # and not the programs that are peers of a bench

MAX_PAGE_LINES = 160  # contracts, starter and solution: what a student reads
MAX_FILE_LINES = 300  # everything else
MAX_FUNCTION_LINES = 30  # without blank lines: they divide it into ideas


# From a line without a margin to a line of one brace.
CPP_FUNCTION = re.compile(r"^[^\s#/}].*\n(?:(?:[ #].*|\} catch.*|)\n)*\}$", re.M)
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)


def max_lines(file):
    """A page is labs/NN-name/contract.h, starter/NN-name/file.cpp or solution/NN-name/file.cpp."""
    is_page = len(file.parts) == 3 and file.parts[0] in ("labs", "starter", "solution")
    return MAX_PAGE_LINES if is_page else MAX_FILE_LINES


def cpp_functions(source):
    """Raw strings get a margin, because their lines may have none."""
    return CPP_FUNCTION.findall(RAW_STRING.sub(lambda raw: raw[0].replace("\n", "\n "), source))


def python_functions(source):
    return [ast.get_source_segment(source, part) for part in ast.walk(ast.parse(source))
            if isinstance(part, ast.FunctionDef)]


def long_functions(file, functions):
    for function in functions:
        lines = [line for line in function.splitlines() if line.strip()]
        if len(lines) > MAX_FUNCTION_LINES:
            yield f"{file}: {len(lines)} lines: {lines[0]}"


def test_clang_format_changes_nothing(clang_format):
    sources = files_in(FOLDERS, ".h", ".cpp", ".cu", ".cuh")
    assert sources
    run([clang_format, "--dry-run", "-Werror", *sources]).expect(0)


def test_no_file_is_too_long():
    lengths = {file: len(read(file).splitlines())
               for file in files_in(FOLDERS, ".h", ".cpp", ".js", ".css", ".py")}
    expect_none(f"{file}: {lines} lines, {max_lines(file)} at most"
                for file, lines in lengths.items() if lines > max_lines(file))


def test_no_function_is_too_long():
    expect_none(function for file in files_in(FOLDERS, ".h", ".cpp")
                for function in long_functions(file, cpp_functions(read(file))))


def test_no_function_of_these_tests_is_too_long():
    expect_none(function for file in files_in(OWN_PYTHON, ".py")
                for function in long_functions(file, python_functions(read(file))))


def test_no_line_of_these_tests_is_too_long():
    expect_none(f"{file}: {line}" for file in files_in(OWN_PYTHON, ".py") if "tests" in file.parts
                for line in read(file).splitlines() if len(line) > 100)


def test_a_function_is_found_without_its_neighbors():
    tail = "  return 1;\n}"
    function = 'int f(int a,\n      int b) {\n#if 1\n  g(R"(\nx)");\n\n' + tail
    source = f"namespace {{\n\nstruct S {{\n  int a;\n}};\n\n{function}\n\n}}  // namespace\n"
    assert [found[-len(tail):] for found in cpp_functions(source)] == [tail]
    assert cpp_functions(source)[0].startswith("int f(int a,")


def test_the_readme_of_a_lab_is_not_too_long(lab):
    num_lines = len(read(f"labs/{lab.folder}/README.md").splitlines())
    assert num_lines <= MAX_FILE_LINES


def test_the_solution_has_no_stub(lab):
    expect_none(file for file in lab.files if "KV_TODO(" in read(f"solution/{lab.folder}/{file}"))


def test_the_solution_asks_after_each_launch_whether_cuda_refused_it():
    """Why here: CUDA refuses none whose sizes a contract allows, so no test of a lab shows it."""
    launches = [(file.name, line) for file in files_in(["solution"], ".cu")
                for line in re.findall(r"<<<[^;]*;\s*(.*)", read(file))]
    assert launches
    expect_none(launch for launch in launches if launch[1] != "KV_CUDA_CHECK(cudaGetLastError());")


def test_no_oracle_includes_anything_of_the_kit_but_kv():
    """Why: an oracle that uses the code it is compared with proves nothing."""
    oracles = [file for file in files_in(["reference"], ".h") if file.parent.name == "reference"]
    assert oracles
    expect_none(f"{oracle}: {line}" for oracle in oracles
                for line in re.findall('^#include "(?!kv/).*', read(oracle), re.M))
