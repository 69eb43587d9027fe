"""What the kit's texts name of vLLM, and in which release."""

import re
from dataclasses import dataclass

from texts import files_in, read, table_rows, without_code_blocks
from vllm_releases import JUNE, SUFFIXES, TODAY

# Our own names in sentences about vLLM.
OURS = [
    "RecordedSteps", "SchedulerHistory", "SchedulerCost",  # groups of tests
    "reserve_prefills",  # an option of step 7.21
]

ABOUT_VLLM = re.compile(r"(?<!nano-)vLLM|`(?:vllm|csrc)/|\b0\.[23]\d\b")
ABOUT_OTHERS = re.compile(r"nano-vLLM.*|[^;]*, until 2025.*|until 2025.*", re.S)
LATER = re.compile(r"\b(?:in|since|by) 0\.(?:2[3-9]|3\d)", re.I)
ASIDE = re.compile(r"\((0\.33: [^)]*)\)")  # "touch (0.33: another_name)"
RELEASES = {"0.22": JUNE, "0.33": TODAY, "today": TODAY}  # in the heading of a column

NAME = re.compile(r"`([\w./]+)(?:\([^`]*\))?`")
# In a comment: the first word, and what looks like code.
CODE = re.compile(r"(?:^|(?<=^0\.33: ))(?!none|the |a )\w+(?=$|[ ,;])"
                  r"|[\w./]*[a-z][_./A-Z][\w./]*\w|\b_\w+")
IN_FILE = re.compile(r" in `([\w./]+(?:/|\.\w+))`")
HOME = re.compile(r"\b(?:all in|files without a folder are in) `([\w./]*/[\w./]*)`", re.I)
SENTENCE_END = re.compile(r"(?:\n\n|\n(?=- |\d+\. )|(?<=[.?!])\s|(?<=[.?!]\*\*)\s)"
                          r"(?=\s*(?:[A-Z\d*`(\[-]|vLLM))")


@dataclass
class Text:
    place: str  # "docs/vllm-map.md:12"
    release: str
    text: str  # with its names in backticks
    home: str = ""  # where names are for which it says no file: a file, or a folder


def place_at(file, page, position):
    return f"{file}:{page.count(chr(10), 0, position) + 1}"


def home_in(text):
    found = HOME.search(text)
    return found[1] if found else ""


def rows_of_tables(file, page):
    """The cells of columns for a release. "The methods of the same names" are those of our cell."""
    columns, home = {}, ""
    for number, line in enumerate(page.splitlines(), 1):
        home = "" if line.startswith("#") else home_in(line) or home
        cells = table_rows(line)[0] if line.startswith("|") else []
        if not columns or not cells:
            columns = {at: release for at, cell in enumerate(cells)
                       for said, release in RELEASES.items() if said in cell}
            continue
        for at, release in columns.items():
            is_same = re.search("same (?:name|class)", cells[at])
            ours = cells[0].rpartition(": ")[2].replace("::", ".") if is_same else ""
            yield Text(f"{file}:{number}", release, f"{cells[at]} {ours}", home)


def beginnings_of_questions(file, page):
    """What a row of a checklist says before its colon."""
    release = JUNE
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("#"):
            release = TODAY if "0.33" in line else JUNE
        if row := re.match(r"(?:- \[ \]|\d+\.) (.*?)[:.?](?: |$)", line):
            yield Text(f"{file}:{number}", release, row[1])


def sentences(file, page):
    """Those about vLLM, outside of tables."""
    prose = re.sub(r"^\|.*", "", without_code_blocks(page), flags=re.M)
    start = 0
    for end in [*(found.start() for found in SENTENCE_END.finditer(prose)), len(prose)]:
        sentence = prose[start:end]
        if ABOUT_VLLM.search(sentence):
            place = place_at(file, prose, end - len(sentence.lstrip()))
            yield Text(place, TODAY if LATER.search(sentence) else JUNE, sentence,
                       home_in(sentence))
        start = end


def comments(file, source):
    """What a comment says after "vLLM:"."""
    for found in re.finditer(r"(?<!nano-)vLLM: (.*(?:\n *//(?!.*vLLM:).*)*)", source):
        comment = re.sub(r"\s*\n *//", "", found[1]).partition(". ")[0]
        for text in [ASIDE.sub("", comment), *ASIDE.findall(comment)]:
            is_later = LATER.search(text) or text.startswith("0.33")
            yield Text(place_at(file, source, found.start()), TODAY if is_later else JUNE,
                       CODE.sub(r"`\g<0>`", text))


def texts_about_vllm():
    for file in files_in(["docs"], ".md"):
        if file.name.startswith("vllm-"):
            for parts in (rows_of_tables, beginnings_of_questions, sentences):
                yield from parts(file, read(file))
    for file in files_in(["labs"], ".md"):
        yield from sentences(file, read(file))
    for file in files_in(["labs"], ".h"):
        yield from comments(file, read(file))


def is_path(name):
    return "/" in name or name.endswith(SUFFIXES)


def names_in(text, home=""):
    """(name, the file that has to have it) of each. A file has the names that come after it, or
    those before "in `file`"."""
    text = ABOUT_OTHERS.sub("", text)
    found, unplaced, file = [], [], ""
    for match in NAME.finditer(text):
        name = match[1]
        if not is_path(name):
            own = IN_FILE.match(text, match.end())
            (found if own or file else unplaced).append((name, own[1] if own else file))
            continue
        file = home + name if home.endswith("/") and "/" not in name else name
        found.append((file, ""))
        if text[:match.start()].endswith((" in ", " below ")) and text[match.end():][:1] != ":":
            found += [(earlier, file) for earlier, _ in unplaced]
            file, unplaced = "", []
    return found + [(name, home) for name, _ in unplaced]


def missing(text, tree):
    """A line for each name that is not in the tree of the text's release."""
    for name, file in names_in(text.text, text.home):
        is_there = tree.files_at(name) if is_path(name) else tree.has(name, file)
        if not is_there and name not in OURS:
            yield f"{text.place}: {name} is not in vLLM {text.release} {file}".rstrip()
