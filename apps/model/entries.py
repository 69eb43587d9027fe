"""Entries of a GGUF, each of the kind that is needed, or refused with its name."""

from gguf import Refused


def need(entries, name, kind=int):
    value = entries.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        what = {int: "a whole number", float: "a number", list: "a list", bytes: "a text"}[kind]
        raise Refused(f'lacks "{name}", or has something else there than {what}')
    return value


def given(entries, name, otherwise, kind=int):
    return need(entries, name, kind) if name in entries else otherwise


def refuse_other(entries, name, *read):
    """Refuses an entry that is there and has another value. The first is that of a file without."""
    value = entries.get(name, read[0])
    value = value.decode(errors="replace") if isinstance(value, bytes) else value
    if value not in read:
        raise Refused(f'has "{name}": {value!r}; ' + ", ".join(map(repr, read)) + " can be read")
    return value


def text_of(string):
    try:
        return string.decode()
    except (UnicodeDecodeError, AttributeError) as error:
        raise Refused("has a text in its tokenizer that is no UTF-8") from error
