"""Code with colors."""

import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound


def drawn_code(text, language, has_numbers=False):
    """The HTML of a block of code. A language without colors, as `predict`, is plain text."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    code = highlight(text, lexer, HtmlFormatter(nowrap=True))
    if has_numbers:
        code = with_numbers(code)
    return f'<div class="highlight"><pre><code>{code}</code></pre></div>\n'


def with_numbers(code):
    """Why in an attribute: then a number is not copied with the line, and not searched."""
    lines = code.rstrip("\n").split("\n")
    width = len(str(len(lines)))
    return "".join(
        f'<span class="linenos" data-linenos="{number:>{width}} "></span>{line}\n'
        for number, line in enumerate(lines, 1)
    )


def link_invariants(html, names, page):
    """Makes links to `page` of names such as I6, in code that is drawn."""

    def link(match):
        name = match[0]
        return f'<a href="{page}#{name.lower()}">{name}</a>' if name in names else name

    return re.sub(r"\bI\d+\b", link, html)
