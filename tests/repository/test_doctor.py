"""the command line: ./lab doctor, and the packages that a container installs"""

import re
import shutil
from pathlib import Path

import pytest

from kit import GRADED, ROOT, USAGE, need, run, write_program

SCRIPT = (ROOT / "lab").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
STUDENT_STAGE, _, CHECKS_STAGE = DOCKERFILE.partition("\nFROM student AS checks\n")

RUNS = "can be graded: its kernels run on this CPU (Linux on "
ON_MACOS = [
    "cannot be graded here: it needs Linux on x86-64 or arm64, and this is Darwin",
    "in a container it can",
    "lab 05-paged-attention can",
]


def needed_packages(purpose=""):
    """Those in the lines of needs() whose purpose fits."""
    kinds = "command|header|library|peer|sanitizer|module|plugin|dictionary"
    return set(re.findall(rf"^ *echo '(?:{kinds}) \S+ (\S+) {purpose}", SCRIPT, re.M))


# Lines whose purpose is work on the kit are left out. git has made the clone, so needs() has no
# line for it; a container has to install it.
FOR_STUDENTS = needed_packages(r"(?!\./lab (?:test|site)\b)")
FOR_ALL = needed_packages() | {"git"}


def installed_packages(dockerfile):
    """Those after "apt-get install": each is a line of one word."""
    return set(re.findall(r"^ +([a-z0-9+.-]+) \\$", dockerfile, re.M))


def test_the_container_for_students_has_the_packages_of_their_commands():
    assert CHECKS_STAGE
    assert installed_packages(STUDENT_STAGE) == FOR_STUDENTS


def test_the_container_for_checks_has_the_packages_of_all_commands():
    assert installed_packages(DOCKERFILE) == FOR_ALL


def test_a_package_that_is_missing_or_too_many_is_found():
    less = STUDENT_STAGE.replace("      libeigen3-dev \\\n", "")
    assert FOR_STUDENTS - installed_packages(less) == {"libeigen3-dev"}
    assert "chromium" in installed_packages(DOCKERFILE) - FOR_STUDENTS


def test_a_student_and_an_editor_get_the_container_for_students():
    assert "docker build --target student " in STUDENT_STAGE
    assert '"target": "student"' in (ROOT / ".devcontainer/devcontainer.json").read_text()


def write_script(path, text):
    write_program(path, "#!/bin/sh\n" + text)


@pytest.mark.parametrize("system, processor, sentences", [
    ("Linux", "x86_64", [RUNS]),
    ("Linux", "aarch64", [RUNS]),
    ("Darwin", "arm64", ON_MACOS),
])
def test_doctor_says_whether_this_system_can_grade_cuda(kit, system, processor, sentences):
    machine = kit.new_folder("another machine")
    write_script(machine / "uname", f'[ "$1" = -s ] && echo {system} || echo {processor}\n')
    outcome = run([ROOT / "lab", "doctor"], {"PATH": f"{machine}:/usr/bin:/bin"})
    outcome.expect(GRADED, *sentences)


def test_doctor_and_a_class_name_the_same_walls(kit):
    doctor = run([ROOT / "lab", "doctor"]).output
    walls = dict(re.findall(r"(Landlock|seccomp|namespaces) [a-z ]*\((ok|none)\)", doctor))
    first_line = kit.lab("class", kit.build / "none").output.splitlines()[0]
    words = {"Landlock": "Landlock", "seccomp": "seccomp", "namespaces": "a namespace of processes"}
    if first_line.startswith("lab: this system has no "):
        assert "./lab class needs the first two" in doctor
    else:
        assert walls == {wall: "ok" if word in first_line else "none"
                         for wall, word in words.items()}


@pytest.fixture
def new_machine(kit):
    """Root's machine, without a compiler. Its apt-get notes each call, and says so if it runs twice
    at the same time."""
    folder = kit.new_folder("new machine")
    for tool in ["sh", "awk", "sort", "paste", "mktemp", "flock", "tail", "rm", "dirname", "grep",
                 "mkdir", "rmdir", "sleep", "tr"]:
        (folder / tool).symlink_to(shutil.which(tool, path="/usr/bin:/bin"))
    write_script(folder / "id", "echo 0\n")
    write_script(folder / "apt-get", """cd "$(dirname "$0")" || exit
mkdir lock || { echo 'at the same time' >>calls; exit 100; }
echo "$@" >>calls
sleep 0.2
rmdir lock
""")
    return folder


def test_on_macos_a_package_has_the_name_that_homebrew_gives_it(kit, new_machine):
    (new_machine / "apt-get").unlink()
    write_script(new_machine / "uname", "echo Darwin\n")
    write_script(new_machine / "brew", "echo /opt/homebrew\n")
    for tool in ["cat", "env"]:
        (new_machine / tool).symlink_to(shutil.which(tool, path="/usr/bin:/bin"))
    doctor = run([ROOT / "lab", "doctor"], {"PATH": str(new_machine)})
    doctor.expect(USAGE, "to compile; xcode-select --install\n", "; brew install ninja\n",
                  "; brew install nlohmann-json, else it is fetched\n",
                  "; brew install eigen, else it is fetched\n")
    doctor.expect_no("apt-get", "libedit-dev", "-dev,")
    outcome = run([ROOT / "lab", "grade"], {"PATH": str(new_machine), "LAB_NO_INSTALL": "yes"})
    outcome.expect(USAGE, "To get it: brew install cli11 cmake eigen googletest ninja ",
                   "nlohmann-json xxhash && xcode-select --install")


def test_two_starts_at_once_install_one_after_the_other(kit, new_machine):
    if not Path("/var/lib/apt").exists():
        pytest.skip("needs apt-get")
    need("flock")
    outcome = run(["sh", "-c", '"$0" next & "$0" next; wait', ROOT / "lab"],
                  {"PATH": str(new_machine), "LAB_NO_INSTALL": "",
                   "LAB_BUILD_DIR": str(kit.new_folder("nothing built"))})
    calls = (new_machine / "calls").read_text().splitlines()
    install = "-o DPkg::Lock::Timeout=300 install "
    assert [call[:len(install)] for call in calls] == [install] * 2, outcome.output
