"""The table of docs/getting-started.md: what a journey printed, in a row for a system, a compiler
and a user."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/getting-started.md"
BEGIN = "<!-- systems.py writes this table -->\n"
END = "<!-- systems.py: end of the table -->\n"
HEAD = ("| system | compiler | CMake | libraries | as | what was run | when |\n"
        "|---|---|---|---|---|---|---|\n")


def rows_of(code, output):
    """The rows that a journey printed. It ends with 0, or with 1 if a row failed."""
    rows = [line.split("\t") for line in output.splitlines() if line.count("\t") == 4]
    if code > 1 or not rows:
        rows.append(["journey", f"failed: exit {code}, {output.strip()[-80:]}", "", "", ""])
    return rows


def sentence(rows, report):
    """What was run, and what failed, in words. report: of the solution."""
    good = [row[0] for row in rows if row[1] == "ok"]
    others = [f"**{row[0]}** {row[1]}" for row in rows if row[1] != "ok"]
    costs = [f"{row[0]} {row[2]} s, {row[3]} CPU s, {row[4]} commands" for row in rows
             if row[0] in ("grade", "step") and row[1] == "ok"]
    found = re.search(r"total (\S+) core, (\S+) extra", report)
    total = f"{found[1]} {found[2]}" if found else "without a total"
    words = ", ".join(f"solution {total}" if name == "solution" else name for name in good)
    return "; ".join([words] + others + costs).replace("|", "/").replace("\n", " ")


def merged(old, rows, titles):
    """The rows of the new table, by the titles of the systems: each row replaces those of the same
    system and compiler. One that says why nothing was run replaces none of what was run."""
    def key(row):  # "g++ 14.2.0" and "g++" are one compiler, and libc++ is another than clang++
        return row[0], "libc++" if "libc++" in row[1] else row[1].split()[0]

    def was_run(row):
        return not row[5].startswith("not run")
    ran = {key(row) for row in old if was_run(row)}
    rows = [row for row in rows if was_run(row) or key(row) not in ran]
    new = {key(row) for row in rows}
    kept = [row for row in old if key(row) not in new and row[0] in titles]
    return sorted(kept + rows, key=lambda row: titles.index(row[0]))


def write_table(rows, titles):
    text = PAGE.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    old = [[cell.strip() for cell in line.strip("|").split("|")]
           for line in text[start:end].splitlines()[2:]]
    lines = ["| " + " | ".join(row) + " |\n" for row in merged(old, rows, titles)]
    PAGE.write_text(text[:start] + HEAD + "".join(lines) + text[end:])
