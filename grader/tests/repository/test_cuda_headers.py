"""CUDA headers: ours have the names that docs/simt-reference.md lists, and the bits of NVIDIA's"""

import re

import pytest

from kit import ROOT, need, run
from texts import expect_none, files_of_kit, read

TESTS = ROOT / "simt/tests"
INCLUDE = ROOT / "simt/include"
NAME = r"[A-Za-z_][A-Za-z_0-9]*"


def files_under(*folders):
    return [file for file in files_of_kit() if str(file).startswith(folders)]


@pytest.fixture(scope="module")
def reference():
    """What there is, and what there is not."""
    there, heading, not_there = read("docs/simt-reference.md").partition("## What is not there")
    assert heading
    return there, " ".join(not_there.split())


def test_each_name_of_the_reference_is_in_the_headers(reference):
    sources = files_under("simt/include/", "simt/flags/", "simt/rewrite/")
    in_sources = set(re.findall(NAME, "\n".join(map(read, sources))))
    names = re.findall(rf"`({NAME}(?:[./][A-Za-z_0-9]+)*)`", reference[0])
    assert names
    expect_none(name for name in names
                if name not in in_sources and not (INCLUDE / name).is_file())


def test_each_function_of_the_headers_is_in_the_reference(reference):
    functions = {name for header in files_under("simt/include/")
                 for name in re.findall(r"\b(cuda[A-Z]\w+)\(", read(header))}
    assert functions
    expect_none(name for name in functions if f"`{name}`" not in reference[0])


def test_each_missing_feature_is_in_the_reference(reference):
    table = read("simt/compile/missing_features.cpp")
    features = re.findall(r'^ *MissingFeature\{\s*"(.*?)"', table, re.M)
    assert len(features) > 20
    expect_none(feature for feature in features if feature not in reference[1])


@pytest.fixture(scope="module")
def build(kit):
    """Has the programs simt_unit_tests and narrow_digests."""
    folder = kit.build / "programs"
    run(["cmake", "-S", ROOT, "-B", folder, "-DLAB_IMPL=solution", "-DLAB_WERROR=KIT",
         "-DCMAKE_BUILD_TYPE=Trial"]).expect(0)
    run(["cmake", "--build", folder, "--target", "simt_unit_tests", "narrow_digests"]).expect(0)
    return folder


def test_the_rewriter_and_the_16_bit_floats(build):
    run([build / "simt_unit_tests"]).expect(0, "[  PASSED  ]")


def test_narrow_floats_have_the_toolkits_bits(build):
    """One program with our __half, __nv_bfloat16 and fp8, and with NVIDIA's."""
    need("nvcc")
    theirs = build / "narrow_digests_of_the_toolkit"
    source = TESTS / "narrow_digests.cpp"
    run(["nvcc", "-std=c++20", "-O1", "-x", "c++", source, "-o", theirs]).expect(0)
    ours = run([build / "narrow_digests"]).output.splitlines()
    assert len(ours) > 30 and ours == run([theirs]).output.splitlines()


def test_our_programs_are_cuda(kit):
    """The broken examples, too: a compiler accepts their bugs."""
    need("nvcc")
    names = ["types", "elsewhere", "intrinsics", "host_memory", "groups", "async_copies",
             "tensor_cores"]
    programs = [TESTS / f"{name}.cu" for name in names]
    programs += (ROOT / "docs/examples/broken").iterdir()
    run(["nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-ptx", "-t", "0",
         "--output-directory", kit.new_folder("ptx"), *programs]).expect(0)


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_kernels_with_halves_and_groups(kit, compiler):
    need(compiler)
    kit.lab("simt", TESTS / "types.cu", "--compiler", compiler, "--no-profile").expect(0)
