"""The chat template of a model as pieces of text: what is between two messages, by the role of the
one before and of the one after.

Why not the template: it is a program in Jinja, and what it does is nearly always to put such pieces
together. So it is rendered here, for many short conversations; the pieces are what is between their
contents, and they have to give what the template gives for other, longer conversations. They are
the file chat.json, which apps/speaker/chat_template.h reads.
"""

import itertools
import json
import random
from typing import NamedTuple

from gguf import Refused
from template import NotRead, RefusedConversation, Template

BEGIN, ANSWER = "begin", "answer"  # stand for the role before the first, and after the last message
ROLES = ("system", "user", "assistant")
LONGEST = 4  # messages of a conversation that is tried
NEEDED = (("user",), ("user", "assistant", "user"))

# White space of Python's str.strip(), which is Jinja's trim, too.
SPACE = "\n\x1c\u2003 \t\n"

CONTENTS = ("Hello", "2 + 2 = ?", f"{SPACE}wide{SPACE}", "a\n\nb\n", "{{ a }}{% b %}{# c #}",
            "\"it's\" <b>&amp;</b>\\n", "½ 你好 🙂", "x" * 300)


class Piece(NamedTuple):
    text: str
    drops_space_before: bool  # white space at the end of the message before
    drops_space_after: bool


class Pieces(NamedTuple):
    between: dict  # from (role before, role after) to a Piece; others the template refuses
    needs_text: bool  # a message without text gives another text than these pieces


def write_chat(folder):
    """Writes chat.json, if the model of this folder has a template. What is to be said of it."""
    given = _json_of(folder / "tokenizer_config.json")
    text = template_text(folder, given)
    if text is None:
        return "It has no chat template."
    try:
        pieces, without = pieces_of(Template(text, _special_tokens(folder, given)))
    except NotRead as problem:
        chat = {"refused": f"its chat template {problem}"}
        said = f"Its chat template {problem}, so ./lab chat refuses this model."
    else:
        chat = _as_json(pieces, _added_tokens(folder))
        said = "Its chat template is read." if without is None else (
            f"Its chat template is read, but for system messages: it {without}.")
    (folder / "chat.json").write_text(json.dumps(chat, indent=1) + "\n")
    return said


def is_unread(folder):
    is_there = template_text(folder, _json_of(folder / "tokenizer_config.json")) is not None
    return is_there and not (folder / "chat.json").exists()


def is_read(folder):
    """Whether ./lab chat takes this model: it has a template that is read, or none."""
    return "refused" not in _json_of(folder / "chat.json")


def pieces_of(template):
    """The pieces; and None, or why they have no system message. Throws NotRead."""
    try:
        return _checked_pieces(template, lambda roles: True), None
    except NotRead:  # Why not the end: many templates write a later system message as another role.
        pass
    try:
        return _checked_pieces(template, lambda roles: "system" not in roles[1:]), None
    except NotRead as problem:
        return _checked_pieces(template, lambda roles: "system" not in roles), str(problem)


def assembled(between, conversation):
    """The text of a conversation, a list of pairs (role, content)."""
    roles, contents = zip(*conversation)
    pieces = [between[place] for place in _places(roles)]
    text = pieces[0].text
    for content, before, after in zip(contents, pieces, pieces[1:]):
        content = content.lstrip() if before.drops_space_after else content
        content = content.rstrip() if after.drops_space_before else content
        text += content + after.text
    return text


def _checked_pieces(template, is_tried):
    between = _read_pieces(template, is_tried)
    walks = [_walk(between, seed) for seed in range(len(CONTENTS))]
    if not _holds_in_turn(template, between, walks, CONTENTS):
        raise NotRead("gives another text when the conversation is longer")
    for constant in template.constants:
        forms = (constant, f"a{constant}", f"{constant}b", f"a {constant} b")
        if not _holds_in_turn(template, between, walks[:len(forms)], forms):
            raise NotRead(f"takes {json.dumps(constant)} in a message for more than text")
    return Pieces(between, not _holds_in_turn(template, between, walks, ("", "a", SPACE)))


def _read_pieces(template, is_tried):
    between, refused = {}, {}
    lengths = range(1, LONGEST + 1)
    sequences = (itertools.product(ROLES, repeat=length) for length in lengths)
    for sequence in filter(is_tried, itertools.chain.from_iterable(sequences)):
        try:
            found = _pieces_in(template, sequence)
        except RefusedConversation as problem:
            refused[sequence] = problem
            continue
        for place, piece in zip(_places(sequence), found):
            if between.setdefault(place, piece) != piece:
                raise NotRead("depends on more than the roles of two messages, one after the "
                              f"other: {' '.join(sequence)}")
    for sequence, problem in refused.items():
        if sequence in NEEDED or all(place in between for place in _places(sequence)):
            raise NotRead(f"does not take the conversation {' '.join(sequence)}: {problem}")
    return between


def _places(sequence):
    return list(zip((BEGIN, *sequence), (*sequence, ANSWER)))


def _pieces_in(template, sequence):
    words = [f"Qz{number}Wk" for number in range(len(sequence))]
    narrow, wide = (
        _cut(_render(template, sequence, [space + word + space for word in words]), words)
        for space in ("", SPACE))
    last = len(sequence)
    return [_piece(*texts, is_first=i == 0, is_last=i == last)
            for i, texts in enumerate(zip(narrow, wide))]


def _render(template, roles, contents):
    return template.render([{"role": role, "content": content}
                            for role, content in zip(roles, contents)])


def _cut(text, words):
    """What is before, between and after these words."""
    if any(text.count(word) != 1 for word in words):
        raise RefusedConversation("a message is left out, or is there twice")
    gaps = []
    for word in words:
        gap, found, text = text.partition(word)
        if not found:
            raise RefusedConversation("the messages come in another order")
        gaps.append(gap)
    return [*gaps, text]


def _piece(narrow, wide, is_first, is_last):
    """narrow, wide: the same gap between messages without and with white space around them."""
    for drops_before, drops_after in itertools.product((False, True), repeat=2):
        before = "" if drops_before or is_first else SPACE
        after = "" if drops_after or is_last else SPACE
        if before + narrow + after == wide:
            return Piece(narrow, drops_before, drops_after)
    raise RefusedConversation("the white space around a message is changed in part")


def _walk(between, seed):
    """Roles of a longer conversation that the pieces allow."""
    choose, walk = random.Random(seed), []
    while True:
        before = walk[-1] if walk else BEGIN
        roles = [role for role in ROLES if (before, role) in between]
        if (before, ANSWER) in between and (len(walk) >= 3 * LONGEST or not roles):
            return walk
        walk.append(choose.choice(roles))


def _holds_in_turn(template, between, walks, contents):
    """Whether the pieces give what the template gives. Each walk begins with another content."""
    for number, roles in enumerate(walks):
        chosen = [contents[(number + i) % len(contents)] for i in range(len(roles))]
        try:
            text = _render(template, roles, chosen)
        except RefusedConversation:
            return False
        if text != assembled(between, list(zip(roles, chosen))):
            return False
    return True


def template_text(folder, tokenizer_config):
    file = folder / "chat_template.jinja"
    if file.exists():
        return file.read_text()
    given = tokenizer_config.get("chat_template")
    if not isinstance(given, list):
        return given
    named = [entry for entry in given if isinstance(entry, dict)]  # several, with names
    return next((one.get("template") for one in named if one.get("name") == "default"), None)


def _special_tokens(folder, tokenizer_config):
    """Those that transformers hands to a template, by their names."""
    given = {**tokenizer_config, **_json_of(folder / "special_tokens_map.json")}
    tokens = {}
    for name, token in given.items():
        content = token.get("content") if isinstance(token, dict) else token
        if name.endswith("_token") and isinstance(content, str):
            tokens[name] = content
    return tokens


def _added_tokens(folder):
    file = folder / "tokenizer.json"
    try:
        return {entry["content"]: entry["id"] for entry in _json_of(file).get("added_tokens", [])}
    except (KeyError, TypeError) as error:
        raise Refused(f'{file} has "added_tokens" that cannot be read') from error


def _as_json(pieces, added_tokens):
    between = {}
    for (before, after), piece in pieces.between.items():
        between.setdefault(before, {})[after] = piece._asdict()
    return {"between": between, "needs_text": pieces.needs_text,
            "ends": _ends(pieces.between, added_tokens)}


def _ends(between, added_tokens):
    """The tokens that end a turn of the model: the first of what follows it, if it is an added
    one."""
    ends = set()
    for (before, _), piece in between.items():
        text = piece.text.lstrip()
        found = [token for token in added_tokens if before == "assistant" and
                 text.startswith(token)]
        ends.update(added_tokens[token] for token in sorted(found, key=len)[-1:])
    return sorted(ends)


def _json_of(file):
    if not file.exists():
        return {}
    try:
        given = json.loads(file.read_text())
    except ValueError as error:
        raise Refused(f"{file} is not JSON") from error
    if not isinstance(given, dict):
        raise Refused(f"{file} is not a JSON object")
    return given
