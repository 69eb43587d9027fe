"""exact tokens: those of Hugging Face's tokenizers, or a sentence that names the entry"""

import json
import random
from pathlib import Path

import pytest

from kit import ROOT, python_with, run
from tokenizer_shapes import (BEHAVIORS, PREPEND, REPLACE, SHAPES, added, byte_level, metaspace,
                              sentence_piece, split, tokenizer)

VERSION = "0.23.3"
TABLE = Path(__file__).with_name("exact_tokens.json")
ALL = {**SHAPES, **BEHAVIORS}
NUM_TEXTS = 100_000
ENCODE = """
import json, sys
from tokenizers import Tokenizer
texts = [json.loads(line) for line in open(sys.argv[2])]
for one in Tokenizer.from_file(sys.argv[1]).encode_batch(texts, add_special_tokens=False):
    print(json.dumps(one.ids, separators=(",", ":")))
"""
PARTS = ["<|im_start|>", "<|im_start|>x", "<tool>", "\u00e9t\u00e9", "e\u0301te\u0301", "<l>",
         "   ", " ", "\n", "\r\n", "\t", "'s", "'S", "'\u017f", "'LL", "\u180e", "\u0085", "\u00a0",
         "\u3000", "\u00bd", "\u00b2", "\u0663", "1234", "Hello", " the", "\u212a", " 'd", "\u00e9",
         "\ud55c", "\uac00", "a\u0300\u0323", "\U00013bae", "\U00011de0", "\u0897", "\u2581",
         "</s>", "\u4f60"]


@pytest.fixture(scope="module")
def tokens_of(kit):
    """Gives the tokens of texts, or a sentence."""
    folder = kit.new_folder("tokens")
    names = ["exact_tokenizer", "bpe", "byte_level_bpe", "sentence_piece", "added_tokens",
             "pre_tokenizer", "split_pattern", "pattern_of_pcre2", "unicode_text", "newer_letters",
             "post_processor"]
    built = run(["c++", "-std=c++20", "-O1", f"-I{ROOT}", f"-I{ROOT}/labs", "-o", folder / "tokens",
                 ROOT / "apps/tests/tokens_of_texts.cpp",
                 *(ROOT / f"apps/speaker/{name}.cpp" for name in names), "-lpcre2-8", "-lutf8proc"])
    assert built.exit_code == 0, built.output

    def given(entries, texts):
        (folder / "tokenizer.json").write_text(json.dumps(entries))
        (folder / "texts").write_text("\n".join(map(json.dumps, texts)) + "\n")
        return run(["sh", "-c", '"$0" "$1" <"$2"', folder / "tokens", folder / "tokenizer.json",
                    folder / "texts"])
    given.folder = folder
    return given


def test_the_tokens_are_those_of_the_table(tokens_of):
    """The table is what tokenizers gave."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert len(table["texts"]) >= 20 and table["tokens"].keys() == ALL.keys()
    for name, expected in table["tokens"].items():
        outcome = tokens_of(ALL[name], table["texts"])
        for text, tokens, line in zip(table["texts"], expected, outcome.output.splitlines(),
                                      strict=True):
            assert json.loads(line) == tokens, (name, text)


def letter(numbers):
    """Of all of Unicode, those of the first planes more often."""
    while True:
        last = numbers.choice([0x7f, 0x800, 0x3400, 0x10000, 0x20000, 0x20000, 0x110000])
        code = numbers.randrange(0x20, last)
        if not 0xd800 <= code < 0xe000:
            return chr(code)


def random_text(numbers):
    return "".join(numbers.choice(PARTS) if numbers.random() < 0.3 else letter(numbers)
                   for _ in range(numbers.randrange(25)))


@pytest.mark.full
@pytest.mark.parametrize("name", ALL)
def test_random_texts_have_the_tokens_that_tokenizers_gives(kit, tokens_of, name):
    python = python_with(kit.build.parent.parent, "tokenizers", VERSION)
    numbers = random.Random(name)
    table = json.loads(TABLE.read_text(encoding="utf-8"))["texts"]
    texts = table + [random_text(numbers) for _ in range(NUM_TEXTS if name in SHAPES else 5000)]
    ours = tokens_of(ALL[name], texts).output.splitlines()
    theirs = run([python, "-c", ENCODE, tokens_of.folder / "tokenizer.json",
                  tokens_of.folder / "texts"]).output.splitlines()
    assert len(ours) == len(theirs) == len(texts)
    differing = [text for text, one, other in zip(texts, ours, theirs, strict=True) if one != other]
    assert not differing, (len(differing), differing[:3])


def changed(**entries):
    return {**SHAPES["GPT-2"], **entries}


@pytest.mark.parametrize("entries, sentence", [
    (changed(normalizer={"type": "Lowercase"}), "a normalizer of type Lowercase; NFC and Sequence"),
    (changed(pre_tokenizer={"type": "Whitespace"}), "a pre_tokenizer of type Whitespace; Split, "),
    (changed(pre_tokenizer=None), "has a pre_tokenizer of type null"),
    (changed(pre_tokenizer={"type": "Digits", "individual_digits": True}),
     "has a pre_tokenizer that does not end with ByteLevel"),
    (changed(pre_tokenizer={"type": "Sequence", "pretokenizers": [byte_level(), byte_level()]}),
     "has a pre_tokenizer with ByteLevel after ByteLevel"),
    (changed(decoder={"type": "Metaspace"}), 'has a decoder of type "Metaspace"; ByteLevel can be'),
    (changed(truncation={"max_length": 4}), "has the entry truncation, which would change"),
    (changed(model={"type": "Unigram"}), 'has a model of type "Unigram"; BPE can be read'),
    (tokenizer(byte_level(), byte_fallback=True),
     'has a model with byte_fallback, and a decoder {"add_prefix_space":false,'),
    (sentence_piece(), "has a model with byte_fallback, and a pre_tokenizer null, which cannot be"),
    (sentence_piece([PREPEND]), "and a normalizer {"),
    (sentence_piece([PREPEND, REPLACE], metaspace("first")), "and a pre_tokenizer {"),
    (sentence_piece(pre_tokenizer={**metaspace("first"), "split": True}), "and a pre_tokenizer {"),
    (sentence_piece(pre_tokenizer=metaspace("last")), "and a pre_tokenizer {"),
    ({**sentence_piece([REPLACE]), "added_tokens": [added(0, "<unk>", normalized=True)]},
     'has the added token "<unk>" with normalized, which cannot be read exactly beside its normal'),
    ({**sentence_piece([REPLACE]), "model": {"byte_fallback": True, "vocab": {}, "merges": []}},
     "has a model with byte_fallback that lacks <0x00>"),
    (tokenizer(byte_level(), dropout=0.1), "has a model with dropout, which cannot be"),
    (tokenizer(byte_level(), unk_token="<unk>"), "has an unk_token that is no token"),
    (changed(added_tokens=[added(0, "<|endoftext|>", single_word=True)]),
     'has the added token "<|endoftext|>" with single_word, which cannot be read exactly'),
    (changed(added_tokens=[added(70_000, "<far>")]),
     'has the added token "<far>" with the id 70000, to which tokenizers gives '),
    (tokenizer(split("a{2}+")), 'has a pre_tokenizer with the pattern a{2}+, and "{" in it cannot'),
    (tokenizer(split("[a[b]]")), '"[" in it cannot be read exactly'),
    (tokenizer(split(r"\w+")), '"\\w" in it cannot be read exactly'),
    (tokenizer(split(r"\p{Han}")), '"\\p{Han}" in it cannot be read exactly'),
    (tokenizer(split("(?i:ss)")), '"(?i:ss)" in it cannot be read exactly'),
    (tokenizer(split("(a")), "the pattern (a, which is no regular expression"),
    (tokenizer(split("a*")), "the pattern a*, which matches where there is no letter"),
])
def test_what_cannot_be_read_exactly_is_refused_by_name(tokens_of, entries, sentence):
    tokens_of(entries, []).expect(2, "tokenizer.json has ", sentence)
