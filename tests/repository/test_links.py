"""documents: every link leads somewhere"""

from kit import ROOT
from texts import broken_links, expect_none, files_of_kit, links_of, read


def pages():
    return [file for file in files_of_kit() if file.suffix == ".md"]


def test_every_link_leads_somewhere():
    assert sum(len(links_of(read(page))) for page in pages()) > 200
    expect_none(broken_links(ROOT, pages()))


def test_a_broken_link_is_found(tmp_path):
    workflows = tmp_path / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "there.yml").write_text("")
    (tmp_path / "page.md").write_text(
        "# One `file`, two rows\n"
        "[a](../../actions/workflows/there.yml) [b](../../actions/workflows/gone.yml)\n"
        "[c](#one-file-two-rows) [d](page.md#one-file) [e][e]\n\n[e]: gone.md\n")
    assert broken_links(tmp_path, ["page.md"]) == [
        "page.md: ../../actions/workflows/gone.yml", "page.md: page.md#one-file",
        "page.md: gone.md"]
