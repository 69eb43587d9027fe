"""a class of sixty in seven parts, by Slurm and by GNU parallel: the tables of one run"""

import re

import pytest

from kit import GRADED, NOT_FULL, ROOT, copy_lab, lab_of, need, run, write_program
from slurm import Slurm
from submissions import put_on_top, rows_without_times

pytestmark = pytest.mark.full

LAB = lab_of("01")
PAGE = (ROOT / "grader/classroom/docs/shards.md").read_text()
BY_SLURM = re.search(r"#!/bin/sh\n#SBATCH.*?(?=```)", PAGE, re.S)[0]
BY_PARALLEL = re.search(r"^parallel .*?(?=```)", PAGE, re.S | re.M)[0]
KILLED = 5  # the part that is killed: what it has begun is lost

# ./lab, which a machine that goes down ends in the middle of one part.
WRAPPER = f"""#!/bin/sh
export LAB_ROOT='{ROOT}'
case " $* " in
  *" --shard $KILLED/7 "*) 'PROGRAM' "$@" & sleep 2; kill -9 $!; exit 137 ;;
esac
exec 'PROGRAM' "$@"
"""

# Without a second machine: what ssh would start there is started here.
SSH = """#!/bin/sh
while [ "$1" != left ] && [ "$1" != right ]; do shift; done
echo "$1" >>"$HOSTS"
shift
[ "$1" != -- ] || shift
exec sh -c "$*"
"""


def in_seven_parts(text):
    return text.replace("1-40", "1-7").replace("/40", "/7").replace("seq 40", "seq 7").replace(
        "class submissions", "class submissions --labs 01")


class Sixty:
    def __init__(self, kit):
        self.kit = kit
        self.folder = kit.new_folder("sixty")
        for number in range(1, 57):
            copy_lab(LAB, self.folder / f"stub-{number:02}")
        copy_lab(LAB, self.folder / "right-1", "solution")
        copy_lab(LAB, self.folder / "right-2", "solution")
        copy_lab(LAB, self.folder / "wrong", "solution")
        put_on_top(self.folder / "wrong" / LAB.folder / LAB.files[0], "#error unfinished")
        (self.folder / "damaged.zip").write_text("this is no archive\n")

    def folder_of_run(self, name):
        folder = self.kit.new_folder(name)
        (folder / "submissions").symlink_to(self.folder)
        write_program(folder / "lab", WRAPPER.replace("PROGRAM", str(self.kit.program)))
        (folder / "class.sh").write_text(in_seven_parts(BY_SLURM))
        return folder

    def grade(self, folder, *options):
        return self.kit.lab("class", "submissions", "--labs", "01", "--out", "results", *options,
                            cwd=folder)


def tables(folder):
    results = folder / "results"
    return rows_without_times(results), (results / "steps.csv").read_text()


@pytest.fixture(scope="module")
def sixty(kit):
    return Sixty(kit)


@pytest.fixture(scope="module")
def in_one_run(sixty):
    folder = sixty.folder_of_run("in-one-run")
    sixty.grade(folder).expect(NOT_FULL, "60 of 60")
    return tables(folder)


def expect_part_is_missing(sixty, folder):
    names = sorted(path.name.removesuffix(".zip") for path in sixty.folder.iterdir())
    missing = re.search("not graded yet: (.*);", sixty.grade(folder, "--merge").output)[1]
    assert missing.split(", ")[-1] in names[KILLED - 1::7]
    assert set(missing.split(", ")) <= set(names[KILLED - 1::7])


@pytest.fixture
def slurm(kit):
    cluster = Slurm(kit.build / "cluster")
    yield cluster
    cluster.end()


def test_by_slurm_on_two_nodes(sixty, in_one_run, slurm):
    folder = sixty.folder_of_run("by-slurm")
    assert slurm.batch("class.sh", cwd=folder, KILLED=str(KILLED)).exit_code != GRADED
    expect_part_is_missing(sixty, folder)
    slurm.batch("class.sh", "--array", str(KILLED), cwd=folder)
    sixty.grade(folder, "--merge").expect(NOT_FULL)
    assert tables(folder) == in_one_run
    assert slurm.nodes_with_tasks() == {"left", "right"}


def test_by_gnu_parallel_over_ssh(sixty, in_one_run):
    need("parallel")
    folder = sixty.folder_of_run("by-parallel")
    (folder / "bin").mkdir()
    write_program(folder / "bin/ssh", SSH)
    hosts = folder / "hosts.txt"
    variables = {"PARALLEL_SSH": str(folder / "bin/ssh"), "HOSTS": str(hosts)}
    command = in_seven_parts(BY_PARALLEL)
    run(["sh", "-c", command], {**variables, "KILLED": str(KILLED)}, cwd=folder)
    expect_part_is_missing(sixty, folder)
    again = command.replace("$(seq 7)", str(KILLED))
    run(["sh", "-c", again], variables, cwd=folder)
    sixty.grade(folder, "--merge").expect(NOT_FULL)
    assert tables(folder) == in_one_run
    assert set(hosts.read_text().split()) == {"left", "right"}
