"""The sidebar: the order in which the course is read."""

import json

START = ["README.md", "docs/getting-started.md"]
BEFORE_LAB = {"06-cuda-kernel": "simt/docs/cuda-in-an-hour.md"}
TO_LOOK_UP = ["docs/invariants.md", "docs/glossary.md", "docs/vllm-map.md",
              "docs/vllm-tests.md", "docs/vllm-today.md", "docs/real-model.md", "docs/bench.md",
              "docs/replay.md", "docs/serve.md", "docs/report.md", "simt/docs/simt.md",
              "simt/docs/simt-findings.md", "simt/docs/simt-reference.md"]
FOR_TEACHERS = ["grader/classroom/docs/instructor.md", "grader/classroom/docs/term.md",
                "docs/course/README.md", "docs/course/syllabus.md",
                "docs/course/prerequisites.md",
                "docs/course/first-day.md", "docs/course/board/", "docs/course/textbook.md",
                "docs/course/integrity.md", "docs/course/accessibility.md",
                "docs/course/privacy.md", "docs/course/laptops.md", "docs/grading.md",
                "grader/classroom/docs/services.md", "grader/classroom/docs/shards.md"]
OF_THE_KIT = ["CONTRIBUTING.md", "docs/dev/README.md", "base/README.md", "simt/README.md",
              "grader/README.md", "grader/classroom/README.md", "grader/proof/README.md",
              "apps/README.md", "reference/README.md"]


def reading_order(root, pages):
    """As `nav` of mkdocs.yml. Every text that is a page has a place in it."""
    nav = list(START)
    for lab in json.loads((root / "labs/manifest.json").read_text())["labs"]:
        nav += [BEFORE_LAB[lab]] if lab in BEFORE_LAB else []
        nav.append(section_of(root, pages, lab))
    for title, texts in (("To look up", TO_LOOK_UP), ("For teachers", FOR_TEACHERS)):
        nav.append({title: those_there(texts, pages)})
    of_the_kit = those_there(OF_THE_KIT, pages)
    nav.append({"The kit": of_the_kit + texts_without(nav + of_the_kit, pages)})
    return nav


def those_there(texts, pages):
    """A handout does not have all of them. A folder stands for all texts in it."""
    return [uri for text in texts for uri in sorted(pages.texts)
            if uri == text or text.endswith("/") and uri.startswith(text)]


def section_of(root, pages, lab):
    sheet = json.loads((root / "labs" / lab / "lab.json").read_text())
    first, last = f"labs/{lab}/README.md", f"labs/{lab}/HINTS.md"
    inside = [uri for uri in pages.texts if uri.startswith(f"labs/{lab}/")]
    texts = sorted(uri for uri in inside if uri in pages.texts.values())
    contracts = [f"labs/{lab}/{header}.md" for header in sheet["headers"]]
    between = [uri for uri in texts if uri not in (first, last)] + contracts
    return {f"{lab[:2]} {sheet['title']}": [first, *between, last]}


def texts_without(nav, pages):
    """The texts that have no place yet, by name."""
    placed = set()
    for entry in nav:
        placed.update(*entry.values()) if isinstance(entry, dict) else placed.add(entry)
    return sorted(uri for uri, path in pages.texts.items() if uri == path and uri not in placed)
