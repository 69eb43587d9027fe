"""The page of ./lab serve as files."""

from kit import GRADED, need


def static_page(kit, tree, name):
    """The folder with the files. A test whose compiler is missing is skipped."""
    need("em++")
    need("node")
    folder = kit.new_folder(name)
    kit.lab("serve", "--tree", tree, "--static", folder, timeout=1800).expect(GRADED)
    assert sorted(file.name for file in folder.iterdir()) == ["engine.js", "index.html"]
    return folder
