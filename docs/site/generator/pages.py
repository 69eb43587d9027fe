"""Which files of the kit are pages: README.md, and all that links lead to from there.

A text is a page as it is. Every other file has a page that shows it, and a folder has its README or
a page that lists its files. Solutions, the bugs that tests find and exams are no pages.
"""

import posixpath

from commonmark import markdown_parser

HIDDEN = ("solution", "grader/proof/cases", "docs/course/exam")
LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".h": "cpp", ".cpp": "cpp", ".py": "python",
             ".json": "json", ".cmake": "cmake", ".css": "css", ".js": "javascript", ".yml": "yaml"}
FENCE = "~" * 8
PICTURE = ".svg"


class Pages:
    def __init__(self, root, examples):
        """examples: a folder with a page for each lab whose worked example can be played."""
        self.root = root
        self.texts = {}  # the name of a page -> the path of what it shows
        self.pictures = {}  # the name of a picture -> its path
        self.examples = {
            f"labs/{page.stem}/worked_example.html": page for page in examples.glob("*.html")
        }
        self._add("README.md")

    def target(self, uri, link):
        """The page that a relative link of a page leads to; None if what it names is hidden."""
        return self._page_of(path_of(uri, link))

    def text_of(self, uri):
        path = self.texts[uri]
        if (self.root / path).is_dir():
            return self._listing(path)
        text = (self.root / path).read_text(encoding="utf-8")
        return text if path.endswith(".md") else self._source_page(path, text)

    def _page_of(self, path):
        if path.startswith(HIDDEN):
            return None
        if not (self.root / path).exists():
            return path  # MkDocs refuses a link to it
        if (self.root / path).is_dir():
            has_readme = (self.root / path / "README.md").exists()
            return posixpath.join(path, "README.md" if has_readme else "index.md")
        return path if path.endswith(".md") else path + ".md"

    def _add(self, path):
        uri = self._page_of(path)
        if uri is None or uri in self.texts or not (self.root / path).exists():
            return
        if path.endswith(PICTURE):
            self.pictures[path] = self.root / path
            return
        has_own_text = (self.root / uri).exists()
        self.texts[uri] = uri if has_own_text else path
        if has_own_text or (self.root / path).is_dir():
            for link in links_of(self.text_of(uri)):
                self._add(path_of(uri, link))

    def _listing(self, path):
        files = sorted(file.name for file in (self.root / path).iterdir() if file.is_file())
        rows = "\n".join(f"- [{name}]({name})" for name in files)
        return f"{UNSEARCHED}# {path}\n\n{rows}\n"

    def _source_page(self, path, text):
        language = LANGUAGES.get(posixpath.splitext(path)[1], "text")
        name = posixpath.basename(path)
        head = CONTRACT if path.startswith("labs/") else UNSEARCHED
        return f"{head}# {name}\n\n{FENCE}{language} source\n{text.rstrip()}\n{FENCE}\n"


# The head of a page that shows a file: no second sidebar; a search lists it after the texts.
CONTRACT = "---\nhide: [toc]\nsearch:\n  boost: 0.5\n---\n"
UNSEARCHED = "---\nhide: [toc]\nsearch:\n  exclude: true\n---\n"


def path_of(uri, link):
    """What a relative link of a page names, as a path in the kit."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(uri), link))


def leaves_kit(uri, link):
    return path_of(uri, link).startswith("..")


def links_of(text):
    """What a Markdown text links and shows, by relative paths without their anchors."""
    links = []
    for token in markdown_parser().parse(text):
        for part in token.children or []:
            href = part.attrGet("href") or part.attrGet("src")
            if href and "://" not in href and not href.startswith("#"):
                links.append(href.partition("#")[0])
    return links
