"""Screens of a terminal, one after the other, as an SVG that needs no script and no font.

Its window is dark, so it looks the same on a light page and on a dark one. Where nothing moves, as
on paper, it shows the first scene.
"""

from typing import NamedTuple
from xml.sax.saxutils import escape

COLUMN, ROW, MARGIN, BAR = 7.8, 16.5, 16, 34
WINDOW, BORDER, TEXT, FAINT = "#161b22", "#444c56", "#d5dbe3", "#8b949e"
COLORS = {"green": "#57d364", "red": "#ff8b82"}
FONT = "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Scene(NamedTuple):
    rows: list
    seconds: float
    caption: str


def drawn(scenes, columns, command, title, description):
    width = round(columns * COLUMN) + 2 * MARGIN
    height = round(max(len(scene.rows) for scene in scenes) * ROW) + BAR + MARGIN
    groups = "".join(drawn_scene(number, scene, width) for number, scene in enumerate(scenes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title text">\n'
        f'<title id="title">{escape(title)}</title>\n<desc id="text">{escape(description)}</desc>\n'
        f"<style>\n{style(scenes)}</style>\n"
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{WINDOW}"'
        f' stroke="{BORDER}"/>\n<path d="M1 {BAR - 6}H{width - 1}" stroke="{BORDER}"/>\n'
        f'<text x="{MARGIN}" y="{BAR / 2 + 2}" class="faint">{escape(command)}</text>\n'
        f"{groups}</svg>\n")


def drawn_scene(number, scene, width):
    caption = (f'<text x="{width - MARGIN}" y="{BAR / 2 + 2}" class="faint" text-anchor="end">'
               f"{escape(scene.caption)}</text>\n")
    rows = "".join(drawn_row(row, runs) for row, runs in enumerate(scene.rows) if runs)
    return f'<g class="scene{number}">\n{caption}{rows}</g>\n'


def drawn_row(row, runs):
    y = BAR + (row + 0.75) * ROW
    return f'<text y="{y:.1f}">{"".join(map(drawn_run, runs))}</text>\n'


def drawn_run(run):
    """textLength keeps the columns, whichever font there is."""
    color = f' fill="{COLORS[run.color]}"' if run.color in COLORS else ""
    weight = ' font-weight="700"' if run.is_bold else ""
    return (f'<tspan x="{MARGIN + run.column * COLUMN:.1f}"'
            f' textLength="{len(run.text) * COLUMN:.1f}"{color}{weight}>{escape(run.text)}</tspan>')


def style(scenes):
    total = sum(scene.seconds for scene in scenes)
    rules, begin = "", 0
    for number, scene in enumerate(scenes):
        end = begin + scene.seconds
        frames = {0: begin == 0, 100 * begin / total: True, 100 * end / total: False}
        rules += rule_of(f"scene{number}", frames, total)
        begin = end
    return (
        f"text {{ font: 13px {FONT}; fill: {TEXT}; }}\n.faint {{ fill: {FAINT}; }}\n{rules}"
        "@media (prefers-reduced-motion: reduce), print { g { animation: none !important; } }\n")


def rule_of(name, frames, seconds):
    """frames: from a time, in per cent, to whether the scene is shown from then on."""
    steps = " ".join(f"{time:.2f}% {{ visibility: {visibility(is_shown)}; }}"
                     for time, is_shown in frames.items())
    return (f".{name} {{ visibility: {visibility(frames[0])};"
            f" animation: {name} {seconds}s step-end infinite; }}\n@keyframes {name} {{ {steps} }}\n")


def visibility(is_shown):
    return "visible" if is_shown else "hidden"
