"""the command line: ./lab predict says what it takes, and whether an answer is right"""

import pytest

from kit import GRADED, NOT_FULL, USAGE


@pytest.mark.parametrize("words, sentence", [
    ([], "LAB is required; run ./lab predict --help"),
    (["99"], 'there is no lab "99"'),
    (["01", "--question", "1,9"], "lab 01 has no question 9; its questions are 1, 2, 3, 4"),
])
def test_wrong_use_is_refused(kit, words, sentence):
    kit.lab("predict", *words).expect(USAGE, sentence)


@pytest.mark.parametrize("answer, exit_code, sentence", [
    ("popleft: 0\npopleft: 1\nfree: 3 4 2\n", GRADED, "\nRight.\n\n1 of 1 right\n"),
    ("popleft: 0\npopleft: 2\nfree: 3 4 2\n", NOT_FULL, "    yours:  popleft: 2\n"),
    ("", NOT_FULL, "0 of 1 right, 1 not answered"),
])
def test_the_exit_code_says_whether_all_is_right(kit, answer, exit_code, sentence):
    kit.lab("predict", "1", "--question", "1", stdin=answer).expect(exit_code, sentence)
