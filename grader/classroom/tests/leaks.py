"""Lines of a closed solution in what students get: in files, in objects, in the history of git"""

import subprocess

from kit import ROOT

LONG = 22  # characters of a line without its blanks; what is shorter is in any program


def without_blanks(text):
    return "".join(text.split())


def lines_of(file):
    return [line for line in map(without_blanks, file.read_text().splitlines()) if line]


# What every student reads. A line of it is no secret, but two in a row may be.
GIVEN = ["labs", "reference", "simt/docs", "simt/examples", "starter"]

# To try one helper of a kernel alone, a test needs a kernel that calls it.
CALLS_OF_A_HELPER = {"group_steps.cuh", "tensor_steps.cuh"}


def given_text(open_labs):
    folders = GIVEN + [f"solution/{lab.folder}" for lab in open_labs]
    files = [file for folder in folders for file in (ROOT / folder).rglob("*")
             if file.is_file() and "bench" not in file.parts]
    return "\n".join(without_blanks(file.read_bytes().decode(errors="replace")) for file in files)


def secrets_of(labs, open_labs=()):
    """Long lines of the solution of these labs, and two lines in a row that are as long."""
    given = given_text(open_labs)
    secrets = set()
    for lab in labs:
        for file in lab.files:
            stub = set(lines_of(ROOT / "starter" / lab.folder / file))
            lines = lines_of(ROOT / "solution" / lab.folder / file)
            own = [line for line in lines if line not in stub]
            secrets |= {line for line in own if len(line) >= LONG and line not in given}
            secrets |= {one + next_one for one, next_one in zip(lines, lines[1:])
                        if one not in stub and next_one not in stub
                        and len(one + next_one) >= 2 * LONG}
    return secrets


def leaks_in(texts, secrets):
    """The names of the texts that have some, each with the first of them."""
    plain = {name: without_blanks(text.decode(errors="replace")) for name, text in texts.items()
             if name.split("/")[-1] not in CALLS_OF_A_HELPER}
    found = {name: [secret for secret in secrets if secret in text] for name, text in plain.items()}
    return {name: min(some) for name, some in found.items() if some}


def files_in(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*")
            if file.is_file() and ".git" not in file.relative_to(folder).parts}


def history_of(repository):
    """All that git keeps there, also what no branch has any more."""
    everything = ["git", "-C", repository, "cat-file", "--batch-all-objects", "--batch"]
    return {"history": subprocess.run(everything, capture_output=True, check=True).stdout}
