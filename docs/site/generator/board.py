"""A sketch for a board: a drawing in text, as SVG.

`[3 0* 7]` is a row of boxes, and the one with a star is filled. `-->`, `<->` and `---` are lines
with and without heads, and a `+` at an end of one is a corner. A `|`, `v` or `^` by itself is a
piece of a vertical line. All else is text.
"""

import re
from xml.sax.saxutils import escape, quoteattr

MAX_COLUMNS = 44  # so that letters are as large as in the other figures
COLUMN, ROW, MARGIN = 7.5, 20, 5
HALF_BOX, HEAD = 8.5, 5

PART = re.compile(r"(?P<boxes>\[[^\]]*\])"
                  r"|(?<!\S)(?P<line>[<+]-+[>+]?|-+[>+]|--+)(?!\S)"
                  r"|(?<!\S)(?P<vertical>[|v^])(?!\S)"
                  r"|(?P<text>[^\s\[]+)")


def sketch(text):
    """The HTML of a sketch. What a screen reader says of it is the drawing in text."""
    lines = text.rstrip().split("\n")
    too_wide = [line for line in lines if len(line) > MAX_COLUMNS]
    if too_wide:
        raise ValueError(f"a sketch has more than {MAX_COLUMNS} columns: {too_wide[0]}")
    parts = [part for row in range(len(lines)) for part in drawn_row(lines, row)]
    label = "; ".join(" ".join(line.split()) for line in lines if line.strip())
    width, height = MAX_COLUMNS * COLUMN + 2 * MARGIN, len(lines) * ROW + 2 * MARGIN
    return (f'<figure><svg viewBox="0 0 {width:g} {height}" role="img"'
            f' aria-label={quoteattr(label)} font-size="12.5">{"".join(parts)}</svg></figure>\n')


def drawn_row(lines, row):
    y = MARGIN + row * ROW + ROW / 2
    for part in PART.finditer(lines[row]):
        if part.lastgroup == "boxes":
            yield from drawn_boxes(part, y)
        elif part.lastgroup == "line":
            yield drawn_line(part, y, lines[max(row - 1, 0):row], lines[row + 1:row + 2])
        elif part.lastgroup == "vertical":
            yield drawn_piece(part[0], middle_of(part.start()), y)
        else:
            yield drawn_text(part[0], middle_of((part.start() + part.end() - 1) / 2), y)


def middle_of(column):
    return MARGIN + (column + 0.5) * COLUMN


def drawn_boxes(part, y):
    """An edge between two boxes is in the middle of the blanks between their words."""
    words = list(re.finditer(r"\S+", f" {part[0][1:-1]} "))
    between = [part.start() + (one.end() + other.start() - 1) / 2
               for one, other in zip(words, words[1:])]
    edges = [part.start(), *between, part.end() - 1]
    for left, right, word in zip(edges, edges[1:], words or [None]):
        text = word[0] if word else ""
        opacity = 0.25 if text.endswith("*") else 0
        yield (f'<rect x="{middle_of(left):g}" y="{y - HALF_BOX:g}"'
               f' width="{(right - left) * COLUMN:g}" height="{2 * HALF_BOX:g}"'
               f' fill="currentColor" fill-opacity="{opacity}" stroke="currentColor"/>')
        yield drawn_text(text.removesuffix("*"), middle_of((left + right) / 2), y)


def drawn_line(part, y, above, below):
    """above, below: the line of text there, if there is one."""
    text, first, last = part[0], middle_of(part.start() - 0.5), middle_of(part.end() - 0.5)
    path = ""
    for corner in (at for at in (part.start(), part.end() - 1) if part.string[at] == "+"):
        path += f"M{middle_of(corner):g} {y:g}"
        path += f"v{-ROW / 2:g}" if has(above, corner, "|^") else ""
        path += f"v{ROW / 2:g}" if has(below, corner, "|v") else ""
    first += COLUMN / 2 if text.startswith("+") else 0
    last -= COLUMN / 2 if text.endswith("+") else 0
    path += f"M{first:g} {y:g}H{last:g}"
    path += head(first, y, HEAD, 0) if text.startswith("<") else ""
    path += head(last, y, -HEAD, 0) if text.endswith(">") else ""
    return stroke(path)


def has(lines, column, marks):
    return any(line[column:column + 1] in [*marks] for line in lines)


def drawn_piece(text, x, y):
    top, bottom = y - ROW / 2, y + ROW / 2
    path = f"M{x:g} {top:g}V{bottom:g}"
    path += head(x, top, 0, HEAD) if text == "^" else ""
    path += head(x, bottom, 0, -HEAD) if text == "v" else ""
    return stroke(path)


def head(x, y, dx, dy):
    """Of an arrow whose tip is at (x, y); (dx, dy) leads back along its line."""
    one, other = (x + dx + dy / 2, y + dy + dx / 2), (x + dx - dy / 2, y + dy - dx / 2)
    return "M{:g} {:g}L{:g} {:g}L{:g} {:g}".format(*one, x, y, *other)


def stroke(path):
    return f'<path d="{path}" fill="none" stroke="currentColor"/>'


def drawn_text(text, x, y):
    if not text:
        return ""
    return (f'<text class="code" x="{x:g}" y="{y + 4.5:g}" text-anchor="middle"'
            f' fill="currentColor">{escape(text)}</text>')
