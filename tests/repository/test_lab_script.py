"""the command line: the script ./lab while programs are built"""

import shutil

import pytest

from kit import GRADED, ROOT, USAGE, need, run

BUILDING = "lab: building the grading program, once"

# Holds the lock of a build. It ends when the shell that started it has ended.
OTHER_BUILDS = """\
flock tool.lock sh -c 'echo simt a.cu >tool.lock; touch held; sleep SECONDS' >log 2>&1 &
until [ -e held ]; do sleep 0.05; done
"""


def slow_build(seconds):
    """What Ninja makes of lab_student: two steps, each takes this long."""
    return (f"rule step\n  command = sleep {seconds} && touch $out\n"
            "build first: step\nbuild lab_student: step first\n")


class Script:
    """The script in a build folder with programs that answer in place of the real ones: nothing of
    the kit is built."""

    def __init__(self, folder):
        self.folder = folder
        self.tool = folder / "tool"
        self.tool.mkdir()
        self.build_takes(0)

    def build_takes(self, seconds):
        (self.tool / "build.ninja").write_text(slow_build(seconds))

    def add_program(self, path, text):
        program = self.folder / path
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n" + text)
        program.chmod(0o755)

    def run(self, commands):
        """In these, $LAB is the script. One that waits too long is stopped."""
        env = {"LAB": str(ROOT / "lab"), "LAB_BUILD_DIR": str(self.folder), "CMAKE_GENERATOR": ""}
        return run(["sh", "-c", commands], env, self.folder, timeout=120)


@pytest.fixture
def script(kit):
    need("ninja")
    need("flock")
    return Script(kit.new_folder("script"))


@pytest.mark.parametrize("command", ["next 02", "list", "hint 1.2", "reset 1.2"])
def test_a_command_that_reads_answers_at_once_while_another_builds(script, command):
    script.add_program("tool/lab_student", 'echo "answered: $*"\n')
    outcome = script.run(OTHER_BUILDS.replace("SECONDS", "600") + f'"$LAB" {command}')
    outcome.expect(GRADED, f"answered: {command}\n")
    assert outcome.output.startswith("answered")


def test_a_command_that_waits_says_within_a_second_for_which_other_one(script):
    script.add_program("tool/lab_student", 'echo "answered: $*"\n')
    outcome = script.run(OTHER_BUILDS.replace("SECONDS", "2") + '"$LAB" grade 01 >waited 2>&1 &\n'
                         "sleep 1\ncat waited\nwait\ncat waited")
    says = "lab: waiting for ./lab simt a.cu, which builds its program ...\n"
    outcome.expect(GRADED, "answered: grade 01\n")
    assert outcome.output.startswith(says)


def test_a_build_says_what_it_builds_and_every_ten_seconds_how_far_it_is_and_for_how_long(script):
    script.build_takes(6)
    outcome = script.run('"$LAB" grade 2>&1')
    assert outcome.output.startswith(f"{BUILDING} ...\n{BUILDING}: 1 of 2, 10 s\n")


def test_an_interrupted_build_ends_and_the_next_start_builds(script):
    script.build_takes(3)
    stopped = script.run('timeout -s INT 1 "$LAB" grade; echo $?')
    assert stopped.output.endswith("124\n")  # timeout's word for its time
    assert not (script.tool / "lab_student").exists()

    script.build_takes(0)
    script.run('"$LAB" grade; test -e tool/lab_student').expect(0)


def test_what_is_left_of_an_interrupted_cmake_is_replaced(script):
    """It wrote a cache, and no build.ninja."""
    cmake = shutil.which("cmake")
    script.add_program("bin/cmake", f'[ "$1" != --version ] || exec {cmake} --version\n'
                       "[ ! -e tool/CMakeCache.txt ] || exit 1\n"
                       "mv kept.ninja tool/build.ninja\n")
    (script.tool / "build.ninja").rename(script.folder / "kept.ninja")
    (script.tool / "CMakeCache.txt").write_text("half")
    script.run('PATH=$PWD/bin:$PATH "$LAB" grade; test -e tool/lab_student').expect(0)


@pytest.mark.parametrize("command, sentence", [
    ('"$LAB" doctor x', 'lab: ./lab doctor takes no argument, and "x" is one\n'),
    ('CXX=nonexistent "$LAB" grade', 'the variable CXX names the compiler "nonexistent", which'),
    ('CXX="ccache nonexistent" "$LAB" grade', 'names the compiler "ccache nonexistent", which')])
def test_a_wrong_word_is_refused_before_anything_is_installed_or_built(script, command, sentence):
    outcome = script.run(command)
    outcome.expect(USAGE, sentence)
    assert "installing" not in outcome.output and "building" not in outcome.output
