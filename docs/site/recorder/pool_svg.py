"""States of a pool, one after the other, as an SVG that needs no script and no font.

What stays the same from one scene to the next is drawn once, with the times at which it is there.
"""

import re
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from terminal_svg import BAR, BORDER, FAINT, FONT, MARGIN, TEXT, WINDOW, rule_of

COLUMNS, WIDTH, HEIGHT, GAP = 12, 50, 40, 4
LINE, MOST_LETTERS, NUM_ANSWERS = 18, 76, 3
STYLE = (Path(__file__).parents[3] / "apps/page/pool.css").read_text(encoding="utf-8")
HUES = re.findall(r"\.color\d+ { --hue: (\d+); }", STYLE)
USED = re.search(r"background: light-dark\(.*?, (oklch.*)\);", STYLE)[1]  # on a dark page
FLASHES = ["hit", "evicted", "freed"]
WORDS = {"hit": "hit", "evicted": "out", "freed": "back"}


class Scene(NamedTuple):
    state: dict  # an event of /events
    flashes: dict  # by block: one of FLASHES
    caption: str
    seconds: float


def drawn(scenes, command, title, description):
    num_blocks = scenes[0].state["pool"]["num_gpu_blocks"] - 1
    grid = -(-num_blocks // COLUMNS) * (HEIGHT + GAP)
    width = COLUMNS * (WIDTH + GAP) - GAP + 2 * MARGIN
    height = BAR + grid + (3 + NUM_ANSWERS) * LINE
    times = set()
    parts = [drawn_block(block, scenes, times) for block in range(1, num_blocks + 1)]
    parts += drawn_lines(scenes, BAR + grid, times)
    parts += track([f'x="{width - MARGIN}" y="{BAR / 2 + 2}" text-anchor="end">'
                    f"{escape(scene.caption)}</text>" for scene in scenes], "text", times, " faint")
    looks = sorted(set(re.findall('href="#(.*?)"', "".join(parts))))
    defs = "".join(map(drawn_look, looks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title text">\n'
        f'<title id="title">{escape(title)}</title>\n<desc id="text">{escape(description)}</desc>\n'
        f"<style>\n{style(scenes, times)}</style>\n<defs>\n{defs}</defs>\n"
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{WINDOW}"'
        f' stroke="{BORDER}"/>\n<path d="M1 {BAR - 6}H{width - 1}" stroke="{BORDER}"/>\n'
        f'<text x="{MARGIN}" y="{BAR / 2 + 2}" class="faint">{escape(command)}</text>\n'
        f"{''.join(parts)}</svg>\n")


def drawn_block(block, scenes, times):
    row, column = divmod(block - 1, COLUMNS)
    x, y = MARGIN + column * (WIDTH + GAP), BAR + row * (HEIGHT + GAP)
    flashes = [scene.flashes.get(block) for scene in scenes]
    tracks = [[name and f'href="#{name}"/>' for name in names]
              for names in (looks_of(block, scenes), flashes)]
    uses = [part for values in tracks for part in track(values, "use", times)]
    return (f'<g transform="translate({x} {y})"><rect width="{WIDTH}" height="{HEIGHT}" rx="3"'
            f' stroke="{BORDER}" fill="none"/>{"".join(uses)}</g>\n')


def looks_of(block, scenes):
    """ "A": A has it; "x8": eight have it; "keptA": it is free and cached, and A had it last."""
    last, looks = "", []
    for scene in scenes:
        state = scene.state["state"]
        owners = [name for name, ids in state["block_tables"].items() if block in ids]
        if owners:
            last = owners[0] if len(owners) == 1 else ""
            looks.append(last or f"x{len(owners)}")
        else:
            looks.append(f"kept{last}" if block in state["cached"] else None)
    return looks


def drawn_look(look):
    if look in WORDS:
        return (f'<g id="{look}"><rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="3"'
                f' fill="none" stroke="{TEXT}" stroke-width="2"/><text x="{WIDTH - 5}" y="34"'
                f' class="mark">{WORDS[look]}</text></g>\n')
    is_kept, is_shared = look.startswith("kept"), look.startswith("x")
    owner = look.removeprefix("kept")
    color = TEXT if is_shared or not owner else color_of(owner)
    ink = " faint" if is_kept else " dark" if is_shared else ""
    word = "◆" if is_kept else look.replace("x", "×")
    return (f'<g id="{look}"><rect width="{WIDTH}" height="{HEIGHT}" rx="3" fill="{color}"'
            f' fill-opacity="{0.35 if is_kept and owner else 0.1 if is_kept else 1}"/>'
            f'<text x="8" y="25" class="letter{ink}">{word}</text></g>\n')


def color_of(name):
    return USED.replace("var(--hue)", HUES[(ord(name[0]) - ord("A")) % len(HUES)])


def drawn_lines(scenes, top, times):
    """The two queues, and the ends of the first answers that run."""
    lines = [lines_of(scene.state) for scene in scenes]
    parts = []
    for number in range(len(lines[0])):
        y = top + LINE * (number + 1)
        parts += track([f'x="{MARGIN}" y="{y}">{escape(line[number])}</text>' for line in lines],
                       "text", times)
    return parts


def lines_of(event):
    names = {queue: " ".join(entry.split(" ")[0] for entry in event["state"][queue])
             for queue in ("running", "waiting")}
    answers = [request for request in event["requests"] if request["state"] == "running"]
    answers = sorted(answers, key=lambda request: request["name"])[:NUM_ANSWERS]
    texts = [f"{request['name']}  {end_of(request)}" for request in answers]
    return [f"running  {names['running']}", f"waiting  {names['waiting']}",
            *texts, *[""] * (NUM_ANSWERS - len(texts))]


def end_of(request):
    text = " ".join((request["prompt"] + request["output"]).split())
    return text if len(text) <= MOST_LETTERS else "… " + text[-MOST_LETTERS:].partition(" ")[2]


def track(values, element, times, look=""):
    """What one place shows in each scene; None: nothing."""
    parts, first = [], 0
    for end in range(1, len(values) + 1):
        if end < len(values) and values[end] == values[first]:
            continue
        if values[first] is not None:
            times.add((first, end))
            parts.append(f'<{element} class="s{first}-{end}{look}" {values[first]}')
        first = end
    return parts


def style(scenes, times):
    begins = [sum(scene.seconds for scene in scenes[:number]) for number in range(len(scenes) + 1)]
    total = begins[-1]
    rules = ""
    for first, end in sorted(times):
        frames = {0: first == 0, 100 * begins[first] / total: True}
        if end < len(scenes):
            frames[100 * begins[end] / total] = False
        rules += rule_of(f"s{first}-{end}", frames, total)
    return (
        f"text {{ font: 13px {FONT}; fill: {TEXT}; }}\n.faint {{ fill: {FAINT}; }}\n"
        f".letter {{ font-weight: 700; font-size: 16px; }}\n.dark {{ fill: {WINDOW}; }}\n"
        f".mark {{ font-size: 10px; text-anchor: end; }}\n{rules}"
        "@media (prefers-reduced-motion: reduce), print {"
        " text, use { animation: none !important; } }\n")
