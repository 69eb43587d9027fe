"""The tokenizer of a GGUF as a tokenizer.json of Hugging Face: BPE over bytes ("gpt2"), or in the
way of SentencePiece ("llama"), of which a GGUF has scores in place of merges."""

from entries import given, need, refuse_other, text_of
from gguf import Refused
from pre_tokenizers import BYTE_LEVEL, NORMALIZERS, PRE_TOKENIZERS, WHOLE_PIECES

UNKNOWN, CONTROL, USER_DEFINED = 2, 3, 4  # kinds in tokenizer.ggml.token_type
MARK = "\u2581"  # stands for a blank


def tokenizer_of(entries):
    kind = refuse_other(entries, "tokenizer.ggml.model", "gpt2", "llama")
    refuse_other(entries, "tokenizer.ggml.add_eos_token", False)
    tokens = [text_of(token) for token in need(entries, "tokenizer.ggml.tokens", list)]
    if len(set(tokens)) < len(tokens):
        raise Refused('has a token twice in "tokenizer.ggml.tokens"')
    parts = _byte_level(entries, tokens) if kind == "gpt2" else _sentence_piece(entries, tokens)
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": _added_tokens(entries, tokens),
            "post_processor": _beginning(entries, tokens), **parts}


def adds_beginning(entries):
    """As llama.cpp decides it where the file says nothing."""
    is_sentence_piece = entries.get("tokenizer.ggml.model") == b"llama"
    cut = entries.get("tokenizer.ggml.pre", b"").decode(errors="replace")
    return bool(entries.get("tokenizer.ggml.add_bos_token",
                            is_sentence_piece or cut in WHOLE_PIECES))


def _added_tokens(entries, tokens):
    kinds = given(entries, "tokenizer.ggml.token_type", [1] * len(tokens), list)
    return [{"id": number, "content": token, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": False, "special": kind != USER_DEFINED}
            for number, (token, kind) in enumerate(zip(tokens, kinds))
            if kind in (UNKNOWN, CONTROL, USER_DEFINED)]


def _model(tokens, merges, **options):
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
            "ignore_merges": False, **options,
            "vocab": {token: number for number, token in enumerate(tokens)}, "merges": merges}


def _byte_level(entries, tokens):
    cut = refuse_other(entries, "tokenizer.ggml.pre", *PRE_TOKENIZERS)
    refuse_other(entries, "tokenizer.ggml.add_space_prefix", False)
    merges = [text_of(merge).split(" ") for merge in need(entries, "tokenizer.ggml.merges", list)]
    return {"normalizer": NORMALIZERS.get(cut), "pre_tokenizer": PRE_TOKENIZERS[cut],
            "decoder": {**BYTE_LEVEL, "add_prefix_space": True},
            "model": _model(tokens, merges, ignore_merges=cut in WHOLE_PIECES)}


def _sentence_piece(entries, tokens):
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": MARK}
    steps = [{"type": "Prepend", "prepend": MARK}, replace]
    if not refuse_other(entries, "tokenizer.ggml.add_space_prefix", True, False):
        steps = [replace]
    back = [{"type": "Replace", "pattern": {"String": MARK}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]
    return {"normalizer": {"type": "Sequence", "normalizers": steps}, "pre_tokenizer": None,
            "decoder": {"type": "Sequence", "decoders": back},
            "model": _model(tokens, _merges_by_score(entries, tokens), byte_fallback=True,
                            fuse_unk=True)}


def _merges_by_score(entries, tokens):
    """Each way to make a token of two others, the token with the best score first."""
    scores, ids = need(entries, "tokenizer.ggml.scores", list), set(tokens)
    if len(scores) != len(tokens):
        raise Refused('has not as many numbers in "tokenizer.ggml.scores" as tokens')
    ways = [(score, token[:i], token[i:]) for score, token in zip(scores, tokens)
            for i in range(1, len(token)) if token[:i] in ids and token[i:] in ids]
    ways.sort(key=lambda way: (way[0], len(way[1]), len(way[2])), reverse=True)
    return [[left, right] for _, left, right in ways]


def _beginning(entries, tokens):
    """A token before each text, if the file asks for that."""
    if not adds_beginning(entries):
        return None
    number = need(entries, "tokenizer.ggml.bos_token_id")
    if number >= len(tokens):
        raise Refused(f'has "tokenizer.ggml.bos_token_id": {number}; it has no such token')
    begin, text = tokens[number], {"Sequence": {"id": "A", "type_id": 0}}
    special = {"SpecialToken": {"id": begin, "type_id": 0}}
    return {"type": "TemplateProcessing", "single": [special, text],
            "pair": [special, text, special, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {begin: {"id": begin, "ids": [number], "tokens": [begin]}}}
