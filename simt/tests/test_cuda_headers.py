"""CUDA headers: ours have what their page says, and nvcc's results"""

import re

import pytest

import nvcc_bank
from kit import GRADED, ROOT, need, run

SIMT = ROOT / "simt"
REFERENCE = ROOT / "simt/docs/simt-reference.md"

# Programs whose results are CUDA's, and examples with bugs that a compiler accepts.
CUDA_PROGRAMS = [SIMT / "tests" / name for name in [
    "types.cu", "elsewhere.cu", "intrinsics.cu", "host_memory.cu", "groups.cu", "async_copies.cu",
    "tensor_cores.cu", "matrix_instructions.cu", "rounded_math.cu",
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
    code = re.sub(r'"[^"\n]*"', "", texts_in("include"))
    functions = set(re.findall(r"\b(cuda[A-Z]\w+)\(", code))
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
    targets = ["simt_unit_tests", "narrow_digests", "simt_compile"]
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


def test_errors_have_nvidias_names_and_texts(kit):
    need("nvcc")
    nvidias, source = kit.build / "errors_of_nvidia", SIMT / "tests/errors.cu"
    run(["nvcc", source, "-o", nvidias]).expect(0)
    ours = kit.lab("simt", source, "--no-profile", "--schedule", "forward").output
    assert ours.startswith(run([nvidias]).output)


def test_nvcc_compiles_the_programs_with_cudas_results(kit):
    need("nvcc")
    run(["nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-ptx", "-t", "0",
         "--output-directory", kit.new_folder("ptx"), *CUDA_PROGRAMS]).expect(0)


def test_kernels_may_use_narrow_floats_and_groups(kit, compiler):
    program = SIMT / "tests/types.cu"
    kit.lab("simt", program, "--compiler", compiler, "--no-profile").expect(GRADED)


def words_of(file):
    return (SIMT / "flags" / f"{file}.txt").read_text().split()


def complaints(kit, built, compiler, names, options):
    """The constructs of which simt says that nvcc, or the compiler that it is an error. All are in
    one file, each in lines of its own."""
    file = kit.build / "bank.cu"
    lines = nvcc_bank.PRELUDE.splitlines()
    constructs = {}
    for number, name in enumerate(names):
        text = nvcc_bank.BANK[name].replace("$", str(number))
        begin = len(lines) + 1
        lines += f"namespace b{number} {{\n{text}\n}}".splitlines()
        constructs.update(dict.fromkeys(range(begin, len(lines) + 1), name))
    file.write_text("\n".join(lines) + "\n")
    flags = [word for name in ["common", compiler, "cuda_sources"] for word in words_of(name)]
    said = run([built / "simt_compile", SIMT / "flags/renamed_functions.txt", compiler, *flags,
                *options, "-I" + str(SIMT / "include"), "-o", kit.build / "bank.o",
                "-c", file])
    mark = r"error|Wvla|required from here|requested here|in expansion of macro"
    places = re.findall(rf"bank\.cu:(\d+):(?: |\d+: .*(?:{mark}))", said.output)
    return {constructs[int(line)] for line in places if int(line) in constructs}


def refused_here(kit, built, compiler, options=()):
    """What the text shows is told before anything is compiled, so the rest is asked again."""
    rest, refused = list(nvcc_bank.BANK), set()
    while found := complaints(kit, built, compiler, rest, options):
        refused |= found
        rest = [name for name in rest if name not in found]
    return refused


def differences_of_reference():
    """The rows of the table: a construct, what nvcc says of it."""
    rows = re.findall(r"^\| (.+?) \| (accepted|refused) \| .+ \|$", REFERENCE.read_text(), re.M)
    return {name.replace("`", ""): verdict for names, verdict in rows for name in names.split("; ")}


def test_each_construct_is_accepted_by_nvcc_and_here_or_refused_by_both(kit, built, compiler):
    assert len(nvcc_bank.BANK) > 400
    refused = refused_here(kit, built, compiler)
    differing = {name: verdict for name, verdict in nvcc_bank.VERDICTS.items()
                 if (verdict == "refused") != (name in refused)}
    assert differing == differences_of_reference()


def test_with_cuda_12_the_names_are_there_that_13_has_removed(kit, built, compiler):
    refused = refused_here(kit, built, compiler, ["-DKV_SIMT_CUDA=12"])
    assert nvcc_bank.OF_CUDA_12 and refused & nvcc_bank.OF_CUDA_12 == set()
    assert "CUDART_VERSION of 13" in refused


@pytest.mark.full
def test_the_installed_nvcc_says_what_the_bank_keeps():
    need("nvcc")
    assert nvcc_bank.nvccs_verdicts() == nvcc_bank.VERDICTS
