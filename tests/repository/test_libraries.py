"""libraries: their versions, what is fetched where one is missing, and CMake from old to new"""

import hashlib
import json
import re
import shutil
import tarfile

import pytest

from kit import BROKEN, GRADED, ROOT, USAGE, copy_lab, from_pypi, lab_of, need, replace_in, run
from kit import write_program, write_step

OLDEST, NEWEST = "3.22.0", "4.4.5"
LISTS = "cmake/dependencies.cmake"
PACKAGES = ["GTest", "CLI11", "nlohmann_json", "Eigen3", "benchmark"]

# What the list of a release has to define.
TARGETS = {"googletest": ["GTest::gtest", "GTest::gtest_main"], "CLI11": ["CLI11::CLI11"],
           "json": ["nlohmann_json::nlohmann_json"]}

# Why with these words: so CMake takes the compiler for one that can search for modules.
GCC_14 = '#!/bin/sh\nexec g++ -U__GNUC__ -D__GNUC__=14 "$@"\n'


@pytest.fixture(params=[OLDEST, NEWEST])
def cmake(kit, request):
    need("ninja")
    return from_pypi(kit.build.parent.parent, "cmake", request.param)


@pytest.fixture
def copy(kit_copy):
    """A copy of the kit whose list of libraries a test may change."""
    kept = (kit_copy.root / LISTS).read_text()
    yield kit_copy
    (kit_copy.root / LISTS).write_text(kept)


def configure(cmake, source, build, *options):
    shutil.rmtree(build, ignore_errors=True)
    return run([cmake, "-S", source, "-B", build, "-GNinja", *options])


def release_of(folder, name):
    """An archive in the form of a release: one folder, with a list that defines the targets."""
    release = folder / f"{name}-1.0"
    release.mkdir()
    aliases = "".join(f"add_library({target} ALIAS {name}_of_test)\n"
                      for target in TARGETS.get(name, []))
    (release / "CMakeLists.txt").write_text(
        f"add_library({name}_of_test INTERFACE)\n{aliases}" if aliases
        else 'message(FATAL_ERROR "only headers are used")\n')
    archive = folder / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(release, release.name)
    return archive


def fetch_from(folder, lists):
    """Replaces each address and hash by those of an archive in this folder."""
    def replaced(found):
        name = next(name for name in ["googletest", "CLI11", "json", "xxHash", "eigen", "benchmark"]
                    if f"/{name}/" in found[1])
        if name == "benchmark":
            return found[0]
        archive = release_of(folder, name)
        return f"{archive.as_uri()}\n{found[2]}{hashlib.sha256(archive.read_bytes()).hexdigest()}"
    text, num = re.subn(r"(https://\S+)\n( +)[0-9a-f]{64}", replaced, lists.read_text())
    assert num == 6
    lists.write_text(text)


def test_without_any_library_each_is_fetched(kit, copy, cmake):
    """Calls of FetchContent that are right in one CMake are errors in another."""
    folder = kit.new_folder("releases")
    fetch_from(folder, copy.root / LISTS)
    for source in [".", "grader"]:
        outcome = configure(cmake, copy.root / source, copy.build / "fetch",
                            "--no-warn-unused-cli", f"-DFETCHCONTENT_BASE_DIR={folder}/fetched",
                            "-DCMAKE_IGNORE_PATH=/usr/include;/usr/local/include",
                            *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in PACKAGES])
        outcome.expect(0, "CLI11: not installed here, fetching file://", "nlohmann_json: not")
        outcome.expect_no("CMake Warning", "cannot be downloaded")
        if source == ".":
            outcome.expect(0, "GTest: not", "xxhash: not", "eigen: not")
            commands = (copy.build / "fetch/compile_commands.json").read_text()
            assert re.search(r"fetched/xxhash-[0-9a-f]{64}/xxHash-1.0\b", commands)
            assert re.search(r"fetched/eigen-[0-9a-f]{64}/eigen-1.0\b", commands)


def installed_eigen(folder, version):
    """What find_package finds of Eigen 5: its version file takes requests for 5 only."""
    major = version.split(".")[0]
    (folder / "Eigen3Config.cmake").write_text(
        "add_library(Eigen3::Eigen INTERFACE IMPORTED)\nset_target_properties(Eigen3::Eigen "
        f'PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "{folder}")\n')
    (folder / "Eigen3ConfigVersion.cmake").write_text(
        f'set(PACKAGE_VERSION "{version}")\nset(PACKAGE_VERSION_COMPATIBLE FALSE)\n'
        f'if(PACKAGE_FIND_VERSION_MAJOR STREQUAL "{major}")\n'
        "  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n")


@pytest.mark.parametrize("version, is_taken", [
    ("3.3.9", False), ("3.4.0", True), ("5.0.1", True), ("6.0.0", True)])
def test_eigen_is_taken_from_3_4_on(copy, version, is_taken):
    folder = copy.new_folder("eigen")
    installed_eigen(folder, version)
    replace_in(copy.root / LISTS, "https://gitlab.com/", "file:///nowhere/")
    outcome = configure("cmake", copy.root, copy.build / "eigen-build", f"-DEigen3_DIR={folder}")
    if is_taken:
        outcome.expect(0)
        outcome.expect_no("eigen: not installed")
    else:
        outcome.expect(0, "eigen: not installed here",
                       "lab 05 needs Eigen 3.4 or newer, which is not installed")


@pytest.mark.parametrize("version", [None, OLDEST, NEWEST])
def test_the_grading_program_is_compiled_in_few_steps(kit, version):
    """CMake from 3.28 on leaves sources that it searches for modules out of unity builds."""
    need("ninja")
    cmake = from_pypi(kit.build.parent.parent, "cmake", version) if version else "cmake"
    folder = kit.new_folder("steps")
    write_program(folder / "g++", GCC_14)
    options = [f"-DCMAKE_CXX_COMPILER={folder}/g++"] if version else []
    configure(cmake, ROOT / "grader", folder / "build", *options).expect(0)
    commands = run(["ninja", "-C", folder / "build", "-t", "commands", "lab_student"])
    assert len(commands.output.splitlines()) <= 8, commands.output


def without_xxhash(copy):
    """xxHash is neither installed nor to be had; gives the list that says so."""
    lists = copy.root / LISTS
    replace_in(lists, "(XXHASH_INCLUDE_DIR xxhash.h)", "(XXHASH_INCLUDE_DIR nowhere.h)")
    replace_in(lists, "https://github.com/Cyan4973/", "file:///nowhere/")
    return lists


def test_a_missing_library_stops_the_labs_that_need_it_and_no_other(copy):
    """And as soon as it is there, they are graded. It is looked for again once, not by each lab."""
    tree = copy.new_folder("tree")
    for number, step in [("01", "1.1"), ("02", "2.1"), ("03", "3.1")]:
        copy_lab(lab_of(number), tree)
        write_step(lab_of(number), tree, step, "return {};")
    lists = without_xxhash(copy)
    replace_in(lists, "include(FetchContent)",
               'include(FetchContent)\nfile(APPEND "${CMAKE_BINARY_DIR}/configurations" "x")')
    report = copy.build / "report.json"
    outcome = copy.lab("grade", "01", "02", "03", "--tree", tree, "--json", report)
    sentence = "lab 02 needs xxHash, which is not installed here, and it cannot be downloaded ("
    outcome.expect(BROKEN, "in progress", "cannot be graded", f"    {sentence}",
                   f"lab: no score, and this is not your fault: {sentence}",
                   "install libxxhash-dev")
    labs = json.loads(report.read_text())["labs"]
    assert [lab["state"] for lab in labs] == ["in progress"] + 2 * ["cannot be graded"]
    assert sentence in json.dumps(labs[1]["tests"][0])
    assert (copy.build / "grade/configurations").read_text() == "xx"
    copy.lab("predict", "02").expect(BROKEN, f"lab: this is not your fault: {sentence}")

    replace_in(lists, "nowhere.h", "xxhash.h")
    copy.lab("grade", "02", "--tree", tree).expect(GRADED, "in progress")


def test_a_missing_library_gives_a_class_one_sentence(copy):
    without_xxhash(copy)
    submissions, results = copy.new_folder("submissions"), copy.build / "results.json"
    shutil.copytree(ROOT / "starter", submissions / "ada_1/starter")
    sentence = "o score, and this is not your fault: lab 02 needs xxHash, which is not installed"
    graded = copy.lab("class", submissions, "--labs", "02", "--out", copy.build / "class-out")
    graded.expect(BROKEN, f"lab: n{sentence}")
    copy.lab("results", "gradescope", ROOT / "starter", results).expect(BROKEN)
    assert json.loads(results.read_text())["output"].startswith(f"N{sentence}")


@pytest.mark.parametrize("options, is_there", [
    ([], True), (["-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON"], False)])
def test_what_the_server_lacks_is_noted_for_its_program_alone(kit, options, is_there):
    need("pkg-config")
    build = kit.new_folder("server")
    configure("cmake", ROOT, build, "-DCMAKE_BUILD_TYPE=Release", *options).expect(0)
    notes = {note.name: note.read_text() for note in (build / "lacks").glob("*")}
    assert list(notes) == ([] if is_there else ["lab07_serve"])
    assert is_there or "install libcpp-httplib-dev and pkgconf" in notes["lab07_serve"]


def test_without_pcre2_no_text_is_read(copy):
    replace_in(copy.root / LISTS, "(PCRE2_INCLUDE_DIR pcre2.h)", "(PCRE2_INCLUDE_DIR nowhere.h)")
    outcome = copy.lab("generate", "Once", "--tree", copy.root / "solution")
    outcome.expect(BROKEN, "./lab generate needs PCRE2 and utf8proc, which are not installed here",
                   "install libpcre2-dev and libutf8proc-dev")


def test_the_variable_cxx_may_be_a_compiler_and_its_options(kit):
    """As clang++ -stdlib=libc++."""
    tree = kit.new_folder("words")
    copy_lab(lab_of("01"), tree)
    write_step(lab_of("01"), tree, "1.1", "return {};")
    outcome = kit.lab("grade", "01", "--tree", tree, env={"CXX": "g++ -DKV_SEEN"})
    outcome.expect(GRADED, "in progress")
    assert " -DKV_SEEN " in (kit.build / "grade/compile_commands.json").read_text()
    run([ROOT / "lab", "doctor"], {"CXX": "g++ -m64"}).expect(GRADED, "ok       c++20 ")


@pytest.mark.parametrize("words, sentence", [
    ("g++ -DX='a b'", "the variable CXX has quotes"),
    ("nowhere++ -m64", 'CXX names the compiler "nowhere++ -m64", which is not there'),
    ("OLD", "which the variable CXX names, is too old")])
@pytest.mark.parametrize("command", ["doctor", "grade"])
def test_a_variable_cxx_that_cannot_be_used_is_refused(tmp_path, command, words, sentence):
    write_program(tmp_path / "old", "#!/bin/sh\nexit 1\n")
    outcome = run([ROOT / "lab", command], {
        "CXX": words.replace("OLD", str(tmp_path / "old")),
        "LAB_BUILD_DIR": str(tmp_path / "build")})
    outcome.expect(USAGE, sentence)
    assert outcome.output.count("\n") == 1


def test_the_presets_use_ninja_which_the_kit_asks_for():
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    assert {preset["generator"] for preset in presets} == {"Ninja"}
    assert "ninja-build to build: Ninja or Make" in (ROOT / "lab").read_text()
