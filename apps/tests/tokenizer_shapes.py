"""Tokenizers of the usual shapes, as dictionaries: each cuts a text in another way. Neighbors in
one piece become one token wherever letters meet, so the tokens show where each piece ends."""

import itertools

from small_checkpoint import byte_vocabulary

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
ENDING = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
OTHERS = r"| ?[^\s\p{L}\p{N}]+[\r\n]*"
LLAMA_3 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + OTHERS + ENDING
QWEN_2 = LLAMA_3.replace("{1,3}", "")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
GPT_4O = "|".join(rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}{upper}{LOWER}{lower}{CONTRACTIONS}?"
                  for upper, lower in ["*+", "+*"])
GPT_4O += r"|\p{N}{1,3}" + OTHERS.replace(r"\n]", r"\n/]") + ENDING


def byte_level(**changes):
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
            "use_regex": True, **changes}


def split(pattern, behavior="Isolated", invert=False):
    cut = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}
    return {"type": "Sequence", "pretokenizers": [cut, byte_level(use_regex=False)]}


def added(number, content, **changes):
    return {"id": number, "content": content, "single_word": False, "lstrip": False,
            "rstrip": False, "normalized": False, "special": True, **changes}


def merges_at_letters(letters):
    """letters: of bytes. The last byte of a letter and the first one of the next."""
    first = [*range(32, 127), *range(0xc2, 0xf5)]
    asked = [*map(ord, "aAsS1 '!.")]
    pairs = [*itertools.product(range(0x80, 0xc0), first), *itertools.product(asked, first),
             *itertools.product([10, 13], [10, 13, 32])]
    return [[letters[left], letters[right]] for left, right in pairs]


def tokenizer(pre_tokenizer, normalizer=None, **model):
    vocabulary = byte_vocabulary()
    letters = sorted(vocabulary, key=vocabulary.get)[1:]
    merges = merges_at_letters(letters)
    for pair in [*merges, ["Ġ", "the"]]:
        vocabulary.setdefault("".join(pair), len(vocabulary))
    next_id = len(vocabulary)
    return {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer, "post_processor": None, "decoder": byte_level(),
        "added_tokens": [
            added(0, "<|endoftext|>"), added(next_id, "<|im_start|>"),
            added(next_id + 1, "<|im_start|>x", rstrip=True),
            added(next_id + 2, "<tool>", normalized=True, special=False),
            added(next_id + 3, "\u00e9t\u00e9", normalized=True, special=False),
            added(next_id + 4, "<l>", lstrip=True), added(next_id + 5, "   ", special=False)],
        "model": {"type": "BPE", "dropout": None, "unk_token": None,
                  "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": vocabulary, "merges": merges, **model}}


MARK = "\u2581"  # stands for a blank
REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": MARK}
PREPEND = {"type": "Prepend", "prepend": MARK}


def metaspace(scheme):
    return {"type": "Metaspace", "replacement": MARK, "prepend_scheme": scheme, "split": False}


def sentence_piece(normalizers=None, pre_tokenizer=None, **changes):
    """In the way of SentencePiece: each letter that has no token becomes its bytes."""
    names = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    letters = [MARK, *map(chr, range(33, 127)), "\u00e9", "\u0301", "\u4f60", "\uac00"]
    pairs = [*itertools.product([MARK], letters), *itertools.product("theaS1.\u4f60", repeat=2),
             ["th", "e"], [MARK, "the"], [MARK * 2, MARK * 2], ["1", "11"], ["t", "he"]]
    vocabulary = {name: number for number, name in enumerate([*names, *letters])}
    for pair in pairs:
        vocabulary.setdefault("".join(pair), len(vocabulary))
    next_id = len(vocabulary)
    back = [{**REPLACE, "pattern": {"String": MARK}, "content": " "}, {"type": "ByteFallback"},
            {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    return {
        "version": "1.0", "truncation": None, "padding": None, "post_processor": None,
        "normalizer": normalizers and {"type": "Sequence", "normalizers": normalizers},
        "pre_tokenizer": pre_tokenizer, "decoder": {"type": "Sequence", "decoders": back},
        "added_tokens": [*(added(number, name) for number, name in enumerate(names[:3])),
                         added(next_id, "<|im_start|>"), added(next_id + 1, "<l>", lstrip=True),
                         added(next_id + 2, "<tool>", rstrip=True, special=False)],
        "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>",
                  "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": True, "byte_fallback": True, "ignore_merges": False,
                  "vocab": vocabulary, "merges": [list(pair) for pair in pairs], **changes}}


NFC = {"type": "NFC"}
SHAPES = {
    "GPT-2": tokenizer(byte_level()),
    "Llama 3": tokenizer(split(LLAMA_3), ignore_merges=True),
    "Qwen 2": tokenizer(split(QWEN_2), NFC),
    "GPT-4o": tokenizer(split(GPT_4O)),
    "SmolLM2": tokenizer({"type": "Sequence", "pretokenizers": [
        {"type": "Digits", "individual_digits": True}, byte_level()]}),
    "NFC": tokenizer(byte_level(add_prefix_space=True),
                     {"type": "Sequence", "normalizers": [NFC]}),
    "Llama 2": sentence_piece([PREPEND, REPLACE]),
    "Metaspace, first": sentence_piece(pre_tokenizer=metaspace("first")),
    "Metaspace, always": sentence_piece(pre_tokenizer=metaspace("always"), ignore_merges=True),
}

BEHAVIORS = {
    f"{behavior}, inverted: {invert}": tokenizer(split(r"\s|\p{P}", behavior, invert))
    for behavior in ["Isolated", "Removed", "Contiguous", "MergedWithPrevious", "MergedWithNext"]
    for invert in [False, True]}
