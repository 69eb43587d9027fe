"""Jane Austen's novels as passages of plain text, from the data file of r-cran-janeaustenr."""

import re
import struct
import zlib
from pathlib import Path


def read_chapters(path):
    """Each chapter of each novel, as a list of passages."""
    chapters = [one for lines in read_novels(path) for one in chapters_of(lines)]
    return [list(passages_of(one)) for one in chapters]


def read_novels(path):
    """The lines of each novel. The file is compressed vectors of strings, one after another."""
    rest = Path(path).read_bytes()
    while rest:
        decompressor = zlib.decompressobj()
        yield read_strings(decompressor.decompress(rest[4:]))
        rest = decompressor.unused_data


def read_strings(vector):
    """Before the count and before each string there is a word of flags, which is skipped."""
    position = vector.index(b"UTF-8") + len("UTF-8")
    (count,) = struct.unpack_from(">4xi", vector, position)
    position += 8
    strings = []
    for _ in range(count):
        (length,) = struct.unpack_from(">4xi", vector, position)
        position += 8 + length
        strings.append(vector[position - length : position].decode())
    return strings


def chapters_of(lines):
    """Lists of paragraphs. Title pages, headings and a later publisher's note are left out."""
    text = "\n".join(lines).split("\nA NOTE ON THE TEXT\n")[0]
    text = re.sub(r"\n(THE END|Finis|FINIS)\s*$|\n *VOLUME [IVX]+ *(?=\n)", "\n", text)
    chapters = re.split(r"\n *(?:CHAPTER|Chapter) [IVXLC\d]+ *\n", text)[1:]
    return [list(filter(None, map(plain, re.split(r"\n\s*\n", one)))) for one in chapters]


def plain(paragraph):
    """One line, without marks of emphasis, with a dot after titles (one novel has none)."""
    line = " ".join(re.sub(r"[_*\[\]£]", "", paragraph).split())
    return re.sub(r"\b(Mr|Mrs|Dr)\b(?!\.)", r"\1.", line)


def passages_of(chapter):
    """Joins neighboring paragraphs up to 1,500 characters, so that a passage fits the context."""
    passage = []
    for paragraph in chapter:
        if passage and sum(map(len, passage)) + len(paragraph) > 1500:
            yield "\n".join(passage)
            passage = []
        passage.append(paragraph)
    yield "\n".join(passage)
