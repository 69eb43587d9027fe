"""spelling: of all pages, and of the comments in contracts, by hunspell"""

import re

import pytest

from kit import labs, need, run
from texts import expect_none, files_of_kit, read, without_code_blocks

CODE_OR_TARGET = re.compile(r"^    .*|`[^`]*`|\]\([^)]*\)|\]: .*|https?://\S*|<[^>\n]*>", re.M)


@pytest.fixture(scope="module", autouse=True)
def dictionary():
    need("hunspell")
    if run(["hunspell", "-d", "en_US", "-l", "/dev/null"]).exit_code != 0:
        pytest.skip("needs hunspell-en-us")


def prose_of(page):
    """Without its code, its tags and the targets of its links. Lines keep their numbers."""
    return CODE_OR_TARGET.sub(lambda part: " " + "\n" * part[0].count("\n"),
                              without_code_blocks(page))


def comments_of(source):
    """Each in its line."""
    return "\n".join(line.partition("//")[2] for line in source.splitlines())


def is_word(token):
    """A name in code, as ref_cnt, KVCacheBlock or block_pool.h, is none."""
    return len(token) > 1 and token.replace("'", "").isalpha() and token[1:] == token[1:].lower()


def words_of(texts):
    """From each word to the place where it is first."""
    places = {}
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for token in re.findall(r"[\w.:']+", line):
                word = token.strip(".:'").removesuffix("'s")
                if is_word(word):
                    places.setdefault(word, f"{file}:{number}")
    return places


def unknown(words):
    outcome = run(["hunspell", "-d", "en_US", "-i", "utf-8", "-l"], stdin="\n".join(words))
    outcome.expect(0)
    return set(outcome.output.split())


@pytest.fixture(scope="module")
def words():
    texts = {file: prose_of(read(file)) for file in files_of_kit() if file.suffix == ".md"}
    for lab in labs():
        for header in lab.spec["headers"]:
            file = f"labs/{lab.folder}/{header}"
            texts[file] = comments_of(read(file))
    return words_of(texts)


@pytest.fixture(scope="module")
def unknown_words(words):
    return unknown(words)


@pytest.fixture(scope="module")
def own_words():
    return read("docs/site/words.txt").splitlines()


def test_a_misspelled_word_is_found_in_a_text_and_in_a_comment_and_code_is_left_out():
    page = "The free queu:\n\n````\n```\nqeue\n```\n````\nholds `blcoks`\n    adn\n[a](b/lnk.md)."
    words = words_of({"page": prose_of(page), "header": comments_of("int nubmer;  // one blok\n")})
    assert unknown(words) == {"queu", "blok"}
    assert words["queu"] == "page:1" and words["holds"] == "page:8"


def test_each_word_is_in_the_dictionary_or_in_words_txt(words, unknown_words, own_words):
    assert len(words) > 1000
    expect_none(f"{words[word]}: {word}" for word in unknown_words if word not in own_words)


def test_each_word_of_words_txt_is_used_and_in_no_dictionary(unknown_words, own_words):
    expect_none(word for word in own_words if word not in unknown_words)


def test_words_txt_is_sorted_and_has_each_word_once(own_words):
    assert own_words == sorted(set(own_words))
