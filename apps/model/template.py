"""A chat template, rendered as Hugging Face's transformers 5 renders it: in a sandbox of jinja2."""

import json
import sys
from pathlib import Path

# Where Debian has its packages, for a python3 that is not Debian's.
OF_DEBIAN = "/usr/lib/python3/dist-packages"

# The first jinja2 whose sandbox has no hole that is known. Debian closes the holes of older ones.
SAFE_JINJA2 = (3, 1, 6)


class RefusedConversation(Exception):
    """What the template says about a conversation that it does not take."""


class NotRead(Exception):
    """The second half of a sentence that begins with the template."""


def jinja2_problem():
    """What is wrong with this machine's jinja2, and what to do; nothing if it can be used."""
    try:
        jinja2 = _jinja2()
    except ImportError:
        return ("missing: jinja2, which reads how a model wants a conversation written. To get it: "
                "apt-get install python3-jinja2")
    version = tuple(int(part) for part in jinja2.__version__.split(".")[:3] if part.isdigit())
    if version >= SAFE_JINJA2 or OF_DEBIAN in jinja2.__file__:
        return None
    return (f"jinja2 {jinja2.__version__} has a sandbox with known holes, and a chat template is "
            "a program of somebody else; get a newer one: python3 -m pip install -U jinja2")


def _jinja2():
    if OF_DEBIAN not in sys.path and Path(OF_DEBIAN).is_dir():
        sys.path.append(OF_DEBIAN)
    import jinja2  # pylint: disable=import-outside-toplevel
    import jinja2.ext  # pylint: disable=import-outside-toplevel
    import jinja2.sandbox  # pylint: disable=import-outside-toplevel
    return jinja2


class Template:
    """A program of somebody else, whose text depends on the conversation."""

    def __init__(self, text, special_tokens):
        """special_tokens: names such as bos_token, and the tokens, which the template can use.
        Throws NotRead for a text that is no template."""
        jinja2 = _jinja2()
        if not isinstance(text, str):
            raise NotRead("is no text")
        environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True,
            extensions=[_generation_block(jinja2), jinja2.ext.loopcontrols])
        environment.filters["tojson"] = _tojson
        environment.globals.update(raise_exception=_raise_exception, strftime_now=_refuse_date)
        self.special_tokens = special_tokens
        try:
            self.compiled = environment.from_string(text)
            constants = environment.parse(text).find_all(jinja2.nodes.Const)
        except jinja2.TemplateSyntaxError as error:
            raise NotRead(f"is no Jinja: {error.message} in line {error.lineno}") from error
        texts = {node.value for node in constants if isinstance(node.value, str)}
        self.constants = sorted(text for text in texts if text.strip())

    def render(self, messages):
        """With what begins the answer. Throws RefusedConversation, and NotRead for a template
        whose text is another one tomorrow."""
        try:
            return self.compiled.render(messages=messages, tools=None, documents=None,
                                        add_generation_prompt=True, **self.special_tokens)
        except NotRead:
            raise
        except Exception as error:  # pylint: disable=broad-except
            # Whatever the template does: it is a program, and this is not among its conversations.
            raise RefusedConversation(str(error) or type(error).__name__) from error


def _generation_block(jinja2):
    class Generation(jinja2.ext.Extension):
        """{% generation %} marks what the model has said, for training; its text is as it is."""
        tags = {"generation"}

        def parse(self, parser):
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)
    return Generation


def _tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                      sort_keys=sort_keys)


def _raise_exception(message):
    raise RefusedConversation(message)


def _refuse_date(_):
    raise NotRead("writes the date of today into the text")
