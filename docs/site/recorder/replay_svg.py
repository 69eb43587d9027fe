"""What record_replay.py has measured, as an SVG that needs no script and no font.

It is light on a light system and dark on a dark one, and can be read without its colors.
"""

from typing import Callable, NamedTuple
from xml.sax.saxutils import escape

from replay_tables import WATERMARKS
from terminal_svg import BORDER, FAINT, FONT, MARGIN, TEXT, WINDOW

WIDTH, LEFT, COLUMN, GAP = 656, 48, 120, 16
TOP, ROW, PLOT = 54, 132, 76  # the first row, the way to the next one, what is drawn in it
HEIGHT = TOP + 3 * ROW

TITLE = "What the rules of vLLM 0.33 buy"
DESCRIPTION = (
    "Three rows of diagrams, with a column for each of five traces. First row: the hit rate grows"
    " with the capacity of the cache, and is the same under both free orders. Second row: a server"
    " with more memory finds more of the prompts; both free orders find nearly the same. Third row:"
    " preemptions are fewer with more memory, far fewer with a watermark of 1 %, and nearly none"
    " with 5 %, except where the memory is smallest. The tables below have the numbers.")

LIGHT = {"paper": "#ffffff", "ink": "#1f2328", "faint": "#59636e", "line": "#d1d9e0",
         "mark0": "#bc4c00", "mark1": "#0969da", "mark2": "#1a7f37"}
DARK = {"paper": WINDOW, "ink": TEXT, "faint": FAINT, "line": BORDER,
        "mark0": "#f0883e", "mark1": "#6cb6ff", "mark2": "#57d364"}


class Row(NamedTuple):
    title: str
    most: int  # at the upper end of its axis
    unit: str
    marks: list  # a shape and a word for each line
    lines: Callable  # a function: a trace -> for each line its values, from left to right
    ends: Callable  # a function: a trace -> what stands below the first value and the last


def found_by_capacity(trace):
    points = trace["by_capacity"][::-1]
    return [[100 * point["num_hits"][order] / point["num_blocks"] for point in points]
            for order in range(2)]


def found_when_served(trace):
    points = trace["served"]
    return [[100 * point["num_first_hits"][order] / point["num_prompt_tokens"] for point in points]
            for order in range(2)]


def preempted(trace):
    return [[100 * point["num_preemptions"][run] / trace["num_requests"]
             for point in trace["served"]] for run in range(1, 2 + len(WATERMARKS))]


def sizes_of_memory(trace):
    return [f"{trace['served'][end]['pool_tokens']:,}" for end in (0, -1)]


ORDERS = [("ring", "order of 0.22"), ("dot", "of 0.33")]
SHARES = [(shape, f"{100 * share:.0f} %") for shape, share in zip(["square", "triangle"],
                                                                  WATERMARKS, strict=True)]
ROWS = [
    Row("Hit rate by capacity, a share of all blocks", 100, " %", ORDERS, found_by_capacity,
        lambda trace: ["1/100", "all"]),
    Row("Found of the prompts, by tokens of memory", 100, " %", ORDERS, found_when_served,
        sizes_of_memory),
    Row("Preemptions in 100 requests; watermark:", 50, "", [("dot", "none"), *SHARES], preempted,
        sizes_of_memory),
]


def drawn(traces):
    parts = [name_of(trace, column) for column, trace in enumerate(traces)]
    for number, row in enumerate(ROWS):
        top = TOP + number * ROW
        parts += [heading(row, top), axis(row, top + 20)]
        parts += [diagram(row, trace, LEFT + column * COLUMN, top + 20)
                  for column, trace in enumerate(traces)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}" role="img" aria-labelledby="title text">\n'
        f'<title id="title">{escape(TITLE)}</title>\n<desc id="text">{escape(DESCRIPTION)}</desc>\n'
        f"<style>\n{style()}</style>\n"
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" class="paper"/>\n'
        f"{''.join(parts)}</svg>\n")


def style():
    light, dark = ("svg { " + "".join(f"--{name}: {color}; " for name, color in colors.items())
                   + "}" for colors in (LIGHT, DARK))
    marks = "".join(f".mark{number} {{ stroke: var(--mark{number}); }}\n" for number in range(3))
    return (
        f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n"
        f"text {{ font: 11px {FONT}; fill: var(--ink); }}\n"
        ".paper { fill: var(--paper); stroke: var(--line); }\n"
        ".small { font-size: 10px; fill: var(--faint); }\n"
        ".name { font-weight: 700; }\n.right { text-anchor: end; }\n"
        ".line { stroke: var(--line); }\npolyline, .mark { fill: none; stroke-width: 1.5; }\n"
        f".dot {{ stroke-width: 3; }}\n.shape {{ fill: var(--paper); }}\n{marks}")


def text(x, y, words, kind="word"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>\n'


def name_of(trace, column):
    x = LEFT + column * COLUMN
    return "".join(text(x, 22 + 14 * line, words, "name")
                   for line, words in enumerate(trace["name"].split(" ", 1)))


def heading(row, top):
    """What the row shows, and a mark with a word for each of its lines."""
    parts, x = [text(MARGIN, top + 8, row.title)], MARGIN + 6.7 * len(row.title) + 14
    for number, (shape, word) in enumerate(row.marks):
        parts += [mark(shape, number, x, top + 4), text(x + 10, top + 8, word)]
        x += 6.7 * len(word) + 28
    return "".join(parts)


def axis(row, top):
    parts = []
    for share in (0, 0.5, 1):
        y = top + PLOT * (1 - share)
        parts += [text(LEFT - 5, y + 3, f"{share * row.most:.0f}{row.unit}", "small right"),
                  f'<path d="M{LEFT} {y:.1f}H{WIDTH - MARGIN}" class="line"/>\n']
    return "".join(parts)


def diagram(row, trace, left, top):
    right, low = left + COLUMN - GAP, top + PLOT
    first, last = row.ends(trace)
    parts = [text(left, low + 14, first, "small"), text(right, low + 14, last, "small right")]
    for number, values in enumerate(row.lines(trace)):
        points = [(left + 4 + index * (right - left - 8) / (len(values) - 1),
                   low - PLOT * value / row.most) for index, value in enumerate(values)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" class="mark{number}"/>\n')
        parts += [mark(row.marks[number][0], number, x, y) for x, y in points]
    return "".join(parts)


def mark(shape, number, x, y):
    """A dot in a ring: both are the same."""
    look = f'class="mark mark{number}"'
    if shape == "ring":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" {look}/>\n'
    if shape == "dot":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.5" class="mark dot mark{number}"/>\n'
    look = f'class="mark shape mark{number}"'
    if shape == "square":
        return f'<rect x="{x - 2.8:.1f}" y="{y - 2.8:.1f}" width="5.6" height="5.6" {look}/>\n'
    return f'<path d="M{x - 3.6:.1f} {y + 3:.1f}h7.2l-3.6 -6.6z" {look}/>\n'
