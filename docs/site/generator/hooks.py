"""What MkDocs calls while it builds the site."""

import os
from pathlib import Path

from mkdocs.structure.files import File

from commonmark import CommonMark
from page_tree import PageTree
from pages import Pages
from reading_order import reading_order

# Where the picture of the page that computes leads, on a site without that page.
WITHOUT_LIVE = "docs/serve.md#as-files-without-a-server"

# Where a word is explained, before pages that use it.
FIRST_IN_SEARCH = {"docs/glossary.md": 30, "docs/invariants.md": 4}

tree = PageTree()


def on_config(config):
    root = Path(config.config_file_path).parents[2]
    tree.pages = Pages(root, Path(os.environ["PAGEDLAB_EXAMPLES"]))
    config.nav = reading_order(root, tree.pages)
    config.markdown_extensions.append(CommonMark(tree))
    config.theme.static_templates.discard("404.html")  # Why: its links need a server.
    return config


def on_files(files, config):
    for uri in tree.pages.texts:
        files.append(File.generated(config, uri, content=tree.pages.text_of(uri)))
    for uri, path in (tree.pages.examples | tree.pages.pictures).items():
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown, page, **_):
    tree.uri = page.file.src_uri
    live = os.environ.get("PAGEDLAB_LIVE")
    if live and page.is_homepage:
        markdown = with_live_link(markdown, live)
    if tree.uri in FIRST_IN_SEARCH:
        page.meta["search"] = {"boost": FIRST_IN_SEARCH[tree.uri]}
    return markdown


def with_live_link(markdown, address):
    """The first page's picture leads to the page that computes, and so does a sentence."""
    link = f"**[See it at work]({address})**: the solution serves a model in your browser.\n\n"
    markdown = markdown.replace(f"]({WITHOUT_LIVE})", f"]({address})")
    return markdown.replace("\n## ", f"\n{link}## ", 1)
