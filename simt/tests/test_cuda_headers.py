"""CUDA headers: ours have what their page says, and nvcc's results"""

import re

import pytest

from kit import GRADED, ROOT, need, run

SIMT = ROOT / "simt"
REFERENCE = ROOT / "simt/docs/simt-reference.md"

# Programs whose results are CUDA's, and examples with bugs that a compiler accepts.
CUDA_PROGRAMS = [SIMT / "tests" / name for name in [
    "types.cu", "elsewhere.cu", "intrinsics.cu", "host_memory.cu", "groups.cu", "async_copies.cu",
    "tensor_cores.cu", "matrix_instructions.cu",
    "numbered_barriers.cu"]] + sorted((ROOT / "simt/examples/broken").glob("*.cu"))


def texts_in(*folders):
    files = [file for folder in folders for file in (SIMT / folder).rglob("*") if file.is_file()]
    return "\n".join(file.read_text() for file in files)


def halves_of_reference():
    """The text of the page up to the list of what is not there, and that list."""
    there, heading, missing = REFERENCE.read_text().partition("## What is not there")
    assert heading
    return there, " ".join(missing.split())


def test_every_name_of_the_page_is_in_the_headers():
    names = set(re.findall(r"`([A-Za-z_]\w*(?:[./]\w+)*)`", halves_of_reference()[0]))
    words = set(re.findall(r"[A-Za-z_]\w*", texts_in("include", "flags", "rewrite")))
    absent = {name for name in names - words if not (SIMT / "include" / name).is_file()}
    assert names and absent == set()


def test_every_cuda_function_of_the_headers_is_on_the_page():
    functions = set(re.findall(r"\b(cuda[A-Z]\w+)\(", texts_in("include")))
    page = halves_of_reference()[0]
    assert functions and {name for name in functions if f"`{name}`" not in page} == set()


def test_every_missing_feature_is_on_the_page():
    source = (SIMT / "compile/missing_features.cpp").read_text()
    features = re.findall(r'MissingFeature\{\s*"([^"]+)"', source)
    missing = halves_of_reference()[1]
    assert features and [name for name in features if name not in missing] == []


@pytest.fixture(scope="module")
def built(kit):
    """The folder of the programs that test the parts of simt that run no kernel."""
    folder = kit.build / "cmake"
    run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Trial"]).expect(0)
    targets = ["simt_unit_tests", "narrow_digests"]
    run(["cmake", "--build", folder, "--parallel", "2", "--target", *targets]).expect(0)
    return folder


def test_the_rewriter_and_the_narrow_floats_work(built):
    run([built / "simt_unit_tests"]).expect(0)


def test_narrow_floats_have_the_bits_of_nvidias(kit, built):
    need("nvcc")
    nvidias = kit.build / "narrow_digests_of_nvidia"
    source = SIMT / "tests/narrow_digests.cpp"
    run(["nvcc", "-std=c++20", "-O1", "-x", "c++", source, "-o", nvidias]).expect(0)
    digests = run([built / "narrow_digests"]).output
    assert digests and digests.splitlines() == run([nvidias]).output.splitlines()


def test_nvcc_compiles_the_programs_with_cudas_results(kit):
    need("nvcc")
    run(["nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-ptx", "-t", "0",
         "--output-directory", kit.new_folder("ptx"), *CUDA_PROGRAMS]).expect(0)


def test_kernels_may_use_narrow_floats_and_groups(kit, compiler):
    program = SIMT / "tests/types.cu"
    kit.lab("simt", program, "--compiler", compiler, "--no-profile").expect(GRADED)
