"""The folders and variables of each service as its documentation describes them, on this machine.

A bundle's own scripts run in them. Only ./lab, which would build the grading program again, is
replaced by a script that starts the program that is there."""

import json
import shlex
import shutil
from dataclasses import dataclass

from kit import GRADED, Outcome, run

CLASSROOM50_VARIABLES = {
    "CLASSROOM": "llm-serving", "ASSIGNMENT": "free-queue", "ASSIGNMENT_TYPE": "individual",
    "USERNAME": "ada", "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-03-09T17-30-00Z-0123456",
    "COMMIT_URL": "https://example.org/commit/0123456",
    "RELEASE_URL": "https://example.org/releases/tag/submit",
    "REVIEW_URL": "https://example.org/compare/0...1",
}


@dataclass
class Played:
    outcome: Outcome
    results: dict  # what is in the file that the service reads; None: there is none
    output: str = ""  # what was appended to $GITHUB_OUTPUT
    summary: str = ""  # the text of the release


def text_of(file):
    return file.read_text() if file.exists() else ""


def json_of(file):
    return json.loads(file.read_text()) if file.exists() else None


class Services:
    def __init__(self, kit):
        self.kit = kit
        self.folder = kit.new_folder("services")
        self.autograder = self.folder / "autograder"
        self.source = self.autograder / "source"

    def add_submission(self, name, files):
        for path, text in files.items():
            file = self.folder / "submissions" / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def submission(self, name, place):
        """A copy of it where the service puts it."""
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.folder / "submissions" / name, place)
        return place

    def make(self, service, *options):
        bundle = self.folder / "bundles" / service
        bundle.parent.mkdir(exist_ok=True)
        self.kit.lab("bundle", service, bundle, *options).expect(GRADED)
        return bundle

    def replace_lab(self, kit):
        """The program is there; what it grades with is built beside the bundle's kit."""
        script = f'LAB_ROOT={shlex.quote(str(kit))} ' \
                 f'LAB_BUILD_DIR={shlex.quote(str(kit.parent / "build"))} ' \
                 f'exec {shlex.quote(str(self.kit.program))} "$@"'
        (kit / "lab").write_text(f"#!/bin/sh\n{script}\n")
        (kit / "lab").chmod(0o755)

    def set_up_gradescope(self, bundle):
        """Gradescope makes its image so: the zip in source/, run_autograder beside it."""
        self.source.mkdir(parents=True)
        run(["cmake", "-E", "tar", "xf", bundle / "autograder.zip"], cwd=self.source).expect(0)
        shutil.copy(self.source / "run_autograder", self.autograder)
        self.replace_lab(self.source / "kit")
        return run(["./setup.sh"], cwd=self.source)

    def play_gradescope(self, name):
        self.submission(name, self.autograder / "submission")
        outcome = run(["./run_autograder"], cwd=self.autograder)
        return Played(outcome, json_of(self.autograder / "results/results.json"))

    def play_classroom50(self, name, bundle, **variables):
        """The student's checkout is the working folder."""
        checkout = self.submission(name, self.folder / "checkout")
        output = self.folder / "classroom50-output"
        output.unlink(missing_ok=True)
        outcome = run(["python3", bundle / "autograder.py"], cwd=checkout, env={
            **CLASSROOM50_VARIABLES, "GITHUB_OUTPUT": str(output), **variables})
        return Played(outcome, json_of(checkout / "result.json"), text_of(output),
                      text_of(checkout / "release-body.md"))
