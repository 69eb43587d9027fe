"""Markdown as GitHub reads it, for MkDocs.

Why not Python-Markdown's reading: it sees no list without an empty line before it, and no Markdown
inside of <details>. The texts are written for GitHub, and must look alike there and here.
"""

import re
from xml.etree import ElementTree

from markdown import util
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown_it import MarkdownIt
from mkdocs.exceptions import PluginError

# What Python-Markdown would take for an entity and not escape, as in `&block;`.
LIKE_ENTITY = re.compile(r"&(?=(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)", re.IGNORECASE)
HTML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def markdown_parser():
    return MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")


class CommonMark(Extension):
    """Reads a page with `markdown_parser`. `page_tree` draws its code and completes its tree."""

    def __init__(self, page_tree):
        super().__init__()
        self.page_tree = page_tree

    def extendMarkdown(self, md):  # the name that Python-Markdown calls
        md.preprocessors = util.Registry()
        for name in ("inline", "prettify"):
            md.treeprocessors.deregister(name)
        md.parser = TreeParser(md, self.page_tree)


class TreeParser(BlockParser):
    def __init__(self, md, page_tree):
        super().__init__(md)
        self.page_tree = page_tree
        self.markdown = markdown_parser()
        self.markdown.renderer.rules["fence"] = self.draw_fence

    def draw_fence(self, tokens, index, _options, _env):
        return self.page_tree.fence(tokens[index].info, tokens[index].content)

    def parseDocument(self, lines):  # the name that Python-Markdown calls
        root = tree_of(self.markdown.render("\n".join(lines)), self.page_tree.uri)
        self.page_tree.complete(root)
        for element in root.iter():
            if element.text:
                element.text = LIKE_ENTITY.sub(util.AMP_SUBSTITUTE + "amp;", element.text)
        return ElementTree.ElementTree(root)


def tree_of(html, uri):
    html = HTML_COMMENT.sub("", html)  # Why: XML refuses a comment in which "--" stands.
    try:
        return ElementTree.fromstring(f"<div>{html}</div>")
    except ElementTree.ParseError as error:
        line = html.split("\n")[error.position[0] - 1]
        what = "a tag is not closed, or a < is not in backticks"
        raise PluginError(f"{uri}: {what}: {line}") from error
