"""Where a text is cut before its letters are merged: what a tokenizer.json has for the names that
llama.cpp writes into a GGUF."""

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
              "use_regex": True}

SHORT_FORMS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"  # as in it's and don't
WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
SIGNS, SPACES = r" ?[^\s\p{L}\p{N}]+[\r\n]*", r"\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
WORDS_BY_CASE = [rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}{upper}{LOWER}{lower}"
                 for upper, lower in ("*+", "+*")]
SIGNS_AND_SLASHES = SIGNS.replace(r"\n]", r"\n/]")


def _split(*parts):
    cut = {"type": "Split", "pattern": {"Regex": "|".join(parts)}, "behavior": "Isolated",
           "invert": False}
    return {"type": "Sequence", "pretokenizers": [cut, {**BYTE_LEVEL, "use_regex": False}]}


LLAMA_3 = _split(SHORT_FORMS, WORDS, r"\p{N}{1,3}", SIGNS, SPACES)

PRE_TOKENIZERS = {
    "gpt-2": BYTE_LEVEL,
    "smollm": {"type": "Sequence", "pretokenizers": [
        {"type": "Digits", "individual_digits": True}, BYTE_LEVEL]},
    "llama-bpe": LLAMA_3, "llama3": LLAMA_3, "llama-v3": LLAMA_3,
    "qwen2": _split(SHORT_FORMS, WORDS, r"\p{N}", SIGNS, SPACES),
    "gpt-4o": _split(*(word + SHORT_FORMS + "?" for word in WORDS_BY_CASE), r"\p{N}{1,3}",
                     SIGNS_AND_SLASHES, SPACES),
    "tekken": _split(*WORDS_BY_CASE, r"\p{N}", SIGNS_AND_SLASHES, SPACES),
}

NORMALIZERS = {"qwen2": {"type": "NFC"}}

# A piece that is a token is one, whatever its merges say; and a text begins with a token, unless
# the file says otherwise.
WHOLE_PIECES = ("llama-bpe", "llama3", "llama-v3", "tekken")
