"""isolation of tests: what a student's code may read, write, stop and leave running"""

import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from attempts import ATTEMPTS
from kit import GRADED, ROOT, copy_lab, lab_of, run, write_step
from submissions import put_on_top

LAB = lab_of("01")
TEST = "FreeQueue/FreeKVCacheBlockQueue.ListsNothingWhenEmpty"

# In place of the student's code: a shell script in one test, and an exception with what it says.
RUNS_A_SCRIPT = f"""std::ifstream file("/proc/self/cmdline");
  const std::string command(std::istreambuf_iterator<char>(file), {{}});
  if (command.find("={TEST}" + std::string(1, '\\0')) == command.npos) return {{}};
  ::setenv("TEST", std::to_string(::getpid()).c_str(), 1);
  ::setenv("PARENT", std::to_string(::getppid()).c_str(), 1);
  FILE* script = ::popen("sh 'SCRIPT' 2>&1", "r");
  std::string output;
  for (int c = std::fgetc(script); c != EOF; c = std::fgetc(script)) output += static_cast<char>(c);
  const int status = ::pclose(script);
  throw std::runtime_error(output + "exit " + std::to_string(WEXITSTATUS(status)));"""
INCLUDES = """#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
"""

# Who grades: this user; another one; a machine without namespaces.
WAYS = {
    "this user": [],
    "nobody": ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
    "without namespaces": ["unshare", "--user", "--map-root-user", "sh", "-c",
                           "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv "
                           '--bounding-set=-sys_admin --inh-caps=-sys_admin "$@"', "sh"],
}

REFUSALS = {"EACCES", "EPERM", "ESRCH", "ENOTTY"}


class StudentsTest:
    """Runs scripts in the place of a test. The script is in the build folder, which a test may
    read; so the code is compiled only once."""

    def __init__(self, kit, outside):
        self.kit = kit
        self.outside = outside
        self.script = kit.build / "script.sh"
        self.tree = kit.new_folder("tree")
        copy_lab(LAB, self.tree)
        write_step(LAB, self.tree, "1.1", RUNS_A_SCRIPT.replace("SCRIPT", str(self.script)))
        put_on_top(self.tree / LAB.folder / LAB.files[0], INCLUDES)

    def run(self, script, way=()):
        """The result of the test. In the script, $GRADER is the process of ./lab grade, $TEST that
        of the test, and $PARENT the one above it."""
        build = self.kit.build
        self.script.write_text(f"export KIT='{build}' OUTSIDE='{self.outside}'\n"
                               f"export GRADER=$(cat '{build}/grader')\n{script}\n")
        shell = [*way, "sh", "-c", f"echo $$ >'{build}/grader'; exec \"$@\"", "sh"]
        grade = [self.kit.program, "grade", "01", "--tree", self.tree, "--json", build / "json"]
        run([*shell, *grade], {"LAB_ROOT": str(ROOT), "LAB_BUILD_DIR": str(build)}).expect(GRADED)
        report = json.loads((build / "json").read_text())
        version = re.search(r"Landlock, version (\d+)", str(report["isolation"]))
        if not version or int(version[1]) < 6:
            pytest.skip("needs Landlock 6")
        return next(test for test in report["labs"][0]["tests"] if test["name"] == TEST)


@pytest.fixture(scope="module")
def outside():
    """A folder that a test must not see."""
    with tempfile.TemporaryDirectory(prefix="lab-isolation-") as folder:
        (Path(folder) / "secret").write_text("secret\n")
        yield Path(folder)


@pytest.fixture(scope="module")
def students_test(kit, outside):
    return StudentsTest(kit, outside)


def all_of(*folders):
    """Mode, owner, date, attributes and content of each file."""
    paths = [path for folder in folders for path in (folder, *sorted(folder.rglob("*")))]
    return {path: (path.stat().st_mode, path.stat().st_uid, path.stat().st_mtime,
                   os.listxattr(path), path.read_bytes() if path.is_file() else b"")
            for path in paths}


@pytest.fixture(scope="module")
def said(students_test, kit, outside):
    """What each attempt says, and what has changed, for each way that this machine has."""
    readable = kit.new_folder("readable")
    (readable / "file").write_text("open\n")
    shutil.copy(Path(__file__).with_name("attempts.py"), kit.build)
    said = {}
    for way, command in WAYS.items():
        if run([*command, "test", "-x", kit.program]).exit_code != 0:
            continue
        if os.getuid() == 0:
            owner = "65534:65534" if way == "nobody" else "0:0"
            run(["chown", "-R", owner, kit.build, outside]).expect(0)
        before = all_of(readable, outside)
        result = students_test.run('cat "$KIT/readable/file"; python3 "$KIT/attempts.py"', command)
        said[way] = result["output"], before, all_of(readable, outside)
    return said


def test_a_test_reads_the_build_folder(said):
    assert all("exception came out of your code: open\n" in output for output, *_ in said.values())


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_test_cannot(said, attempt):
    for way, (output, *_) in said.items():
        answer = re.search(f"^ *{attempt}: (.*)", output, re.M)
        assert answer and answer[1] in REFUSALS, (way, answer)


def test_nothing_has_changed(said):
    for way, (_, before, after) in said.items():
        assert before == after, way


def runs_anywhere(command):
    def words_of(process):
        try:
            return (process / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
        except OSError:  # it has ended
            return []

    return any(words_of(process) == command.split() for process in Path("/proc").glob("[0-9]*"))


def test_a_daemon_ends_with_its_test(students_test):
    daemon = "sleep 31415926"
    result = students_test.run(f"setsid sh -c '{daemon} & {daemon}' >/dev/null 2>&1 & exit 7")
    assert "an exception came out of your code: exit 7" in result["output"]
    assert not runs_anywhere(daemon)


def test_a_test_ends_by_its_signal(students_test):
    result = students_test.run("kill -SEGV $TEST")
    assert result["status"] == "crash" and "SIGSEGV" in result["output"]


def test_a_test_that_does_not_end_is_stopped(students_test):
    assert students_test.run("sleep 600")["status"] == "timeout"
