"""What a page has beyond its text: links that lead to pages, colors, figures, folded answers."""

import posixpath
import re
from pathlib import Path
from xml.etree import ElementTree

from mkdocs.exceptions import PluginError

from board import sketch
from code_blocks import drawn_code, link_invariants
from pages import leaves_kit

FIGURES = Path(__file__).parents[1] / "figures"
INVARIANTS = "docs/invariants.md"


class PageTree:
    def __init__(self):
        self.pages = None  # set before the first page is read
        self.uri = ""      # address of the page that is read

    def fence(self, info, text):
        """The HTML of a fenced block. Its first line is ``` and then `info`."""
        words = info.split() or ["text"]
        for word in words:
            if word.startswith("figure="):
                return figure(word.removeprefix("figure="))
        if "board" in words:
            return self._sketch(text)
        if "source" not in words:
            return drawn_code(text, words[0])
        names = set(re.findall(r"^\| \*\*(I\d+)\*\*", self.pages.text_of(INVARIANTS), re.MULTILINE))
        return link_invariants(drawn_code(text, words[0], has_numbers=True), names,
                               "../" * self.uri.count("/") + INVARIANTS)

    def _sketch(self, text):
        try:
            return sketch(text)
        except ValueError as error:
            raise PluginError(f"{self.uri}: {error}") from error

    def complete(self, root):
        name_headings(root)
        self._remove_badges(root)
        if self.uri == INVARIANTS:
            name_rows(root)
        for link in root.iter("a"):
            self._lead_to_page(link)
        fold_answers(root)
        self._embed_example(root)

    def _remove_badges(self, root):
        """Badges are links to pages of GitHub about the repository, and are of no use elsewhere."""
        for paragraph in root.findall("p"):
            links = [link.get("href") for link in paragraph.iter("a")]
            if links and all(leaves_kit(self.uri, link) for link in links):
                root.remove(paragraph)

    def _lead_to_page(self, link):
        href, hash_sign, anchor = link.get("href").partition("#")
        if not href or "://" in href:
            return
        page = self.pages.target(self.uri, href)
        if page is None:
            link.tag = "span"
            del link.attrib["href"]
        else:
            path = posixpath.relpath(page, posixpath.dirname(self.uri))
            link.set("href", path + hash_sign + anchor)

    def _embed_example(self, root):
        uri = self.uri.replace("README.md", "worked_example.html")
        if uri not in self.pages.examples:
            return
        headings = [h for h in root if h.tag == "h2" and h.get("id") == "a-worked-example"]
        if not headings:
            raise PluginError(f'{self.uri} has no heading "A worked example" for the player')
        root.insert(list(root).index(headings[0]) + 1, PLAYER)


def figure(name):
    """The drawing of figures/, inside of the page, so that it takes the page's colors."""
    return f'<figure>{(FIGURES / f"{name}.svg").read_text(encoding="utf-8")}</figure>\n'


PLAYER = ElementTree.fromstring(
    '<figure class="player">'
    '<iframe src="worked_example.html" title="The worked example, to step through" loading="lazy">'
    "</iframe>"
    '<figcaption><a href="worked_example.html">The player alone</a></figcaption></figure>'
)


def name_headings(root):
    """Gives headings the ids that they have on GitHub."""
    used = {}
    for heading in root.iter():
        if not re.fullmatch("h[1-6]", heading.tag):
            continue
        text = "".join(heading.itertext()).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        used[anchor] = used.get(anchor, -1) + 1
        heading.set("id", f"{anchor}-{used[anchor]}" if used[anchor] else anchor)


def name_rows(root):
    """Gives the row of an invariant the id "i6"; of several, the first."""
    named = set()
    for row in root.iter("tr"):
        name = row.findtext("td/strong", "").lower()
        if name and name not in named:
            named.add(name)
            row.set("id", name)


def fold_answers(root):
    """Below the heading "Answers": each paragraph "Question 1." with what follows it."""
    is_answer, fold = False, None
    for element in list(root):
        if element.tag == "h2":
            is_answer, fold = element.get("id") == "answers", None
        elif is_answer:
            title = question_of(element)
            if title:
                fold = ElementTree.Element("details")
                ElementTree.SubElement(fold, "summary").text = title
                root.insert(list(root).index(element), fold)
            if fold is not None:
                root.remove(element)
                fold.append(element)


def question_of(element):
    """ "Question 1" of a paragraph that begins so in bold."""
    strong = element.find("strong") if element.tag == "p" else None
    match = re.match(r"Question \d+", strong.text or "") if strong is not None else None
    return match[0] if match and not (element.text or "").strip() else None
