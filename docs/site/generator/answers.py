"""The answers at the end of a lab's README, folded one by one."""

import re
from xml.etree import ElementTree


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
