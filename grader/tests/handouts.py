"""A handout of the first labs and a student's clone of it."""

import re
import shutil

from kit import ROOT, lab_of, labs, run

LAB = lab_of("02")  # which a student works on


def git(folder, *arguments):
    return run(["git", "-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@localhost",
                *arguments])


def files_of(handout):
    return git(handout, "ls-files").output.splitlines()


class StudentsClone:
    def __init__(self, kit, handout):
        self.kit = kit
        self.root = kit.build / "handout-of-a-student"
        shutil.rmtree(self.root, ignore_errors=True)
        git(kit.build, "clone", "--quiet", handout, self.root).expect(0)
        self.own_file = self.root / "starter" / LAB.folder / LAB.files[0]
        self.solution = self.root / "solution" / LAB.folder

    def lab(self, *arguments, stdin=""):
        build = self.root / "build/lab"
        return self.kit.lab(*arguments, stdin=stdin,
                            env={"LAB_ROOT": str(self.root), "LAB_BUILD_DIR": str(build)})


def secrets_of(lab):
    """Three lines of a solution in a row that are not in the starter."""
    secrets = set()
    for file in lab.files:
        stub = set((ROOT / "starter" / lab.folder / file).read_text().splitlines())
        lines = (ROOT / "solution" / lab.folder / file).read_text().splitlines()
        for i in range(len(lines) - 2):
            three = lines[i:i + 3]
            if all(len(line) > 3 and line not in stub for line in three):
                secrets.add("\n".join(three))
    return secrets


def answers_of(lab):
    """What is typed to answer the predict questions of its README."""
    readme = (ROOT / "labs" / lab.folder / "README.md").read_text()
    answers = re.findall(r"^```(?:answer|counterexample) (\d+).*?\n(.*?)^```$", readme, re.M | re.S)
    return [text + "\n" for _, text in sorted(answers, key=lambda answer: int(answer[0]))]


def hours_of(num_labs):
    """The sum of "2-3" and "4-6" is "6\u20139 hours"."""
    hours = [lab.spec["hours"].split("-") for lab in labs()[:num_labs]]
    least, most = (sum(int(each[end]) for each in hours) for end in [0, -1])
    return f"{least}\u2013{most} hours"
