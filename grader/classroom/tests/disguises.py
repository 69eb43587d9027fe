"""What a copier does to a text so that it looks different."""

import re

# Variables of the alternatives that are disguised.
VARIABLES = set("""block blocks content entry found head id is_new k key largest last left next
num_held prefix parent place prev q query rest right score scores slot sum""".split())

COMMENT = r"//[^\n]*|/\*.*?\*/"
DIRECTIVE = r"^#[^\n]*\n"
TEXT = r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\''
WORD = r"\d[\w.']*|\w+"
SIGN = r"->|::|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|\S"

# In code that clang-format has written, its last brace is alone at the start of a line.
FUNCTION = r"^(?!namespace)[A-Za-z][^;{}]*\{\n(?:(?!\})[^\n]*\n)*\}$"


def renamed(source):
    """Variables and parameters, but no member: that name is given."""
    def new_name(found):
        return f"my_{found['name']}" if found["name"] in VARIABLES else found[0]

    pattern = rf"{COMMENT}|{DIRECTIVE}|{TEXT}|(?<!\.|>|:)\b(?P<name>[a-z]\w*)"
    return re.sub(pattern, new_name, source, flags=re.M | re.S)


def reordered(source):
    """The last function comes first."""
    functions = re.findall(FUNCTION, source, re.M)
    return re.sub(FUNCTION, lambda _: functions.pop(), source, flags=re.M)


def reformatted(source):
    """Other lines, and no comments."""
    directives = "".join(re.findall(DIRECTIVE, source, re.M))
    pattern = f"{COMMENT}|{DIRECTIVE}|({TEXT}|{WORD}|{SIGN})"
    tokens = [token for token in re.findall(pattern, source, re.M | re.S) if token]
    lines = [" ".join(tokens[i:i + 5]) for i in range(0, len(tokens), 5)]
    return directives + "\n\n\t".join(lines) + "\n"


def commented(source):
    """A comment in each line of code, and one after it."""
    return re.sub(r"[;{]$", "\\g<0>  // and so on; \"x\" /* y\n/* block = blocks[0]; */",
                  source, flags=re.M)


def disguised(source):
    return reformatted(commented(reordered(renamed(source))))
