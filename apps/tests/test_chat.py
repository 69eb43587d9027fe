"""./lab chat: a model answers at a terminal and through a pipe"""

import re
import shutil

import pexpect
import pytest

from kit import GRADED, ROOT, USAGE, copy_lab, copy_labs, lab_of, solve_up_to
from terminal import PATIENCE, terminal_of

SOLUTION = ["--tree", "solution", "--seed", "7"]


@pytest.fixture
def say(kit):
    """What is answered to these lines through a pipe."""
    def outcome_of(text, *options):
        return kit.lab("chat", *SOLUTION, *options, stdin=text)
    return outcome_of


class Chat:
    """At a terminal of 60 columns."""

    def __init__(self, kit, *options, env=None):
        argv = [kit.program, "chat", *SOLUTION, *options]
        self.child = terminal_of(kit, argv, {"NO_COLOR": "1", **(env or {})},
                                 rows=24, columns=60).child
        self.answer_ends()

    def type(self, line):
        self.child.sendline(line)

    def answer_ends(self):
        """What was printed until the next prompt, without the codes that move the cursor."""
        self.child.expect("\n> $", timeout=PATIENCE)
        return re.sub(r"\x1b(\[[0-9;]*[A-Z]|[D78])", "", self.child.before).replace("\r", "")

    def end(self):
        self.child.sendeof()
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.exitstatus == GRADED


def test_only_answers_come_out_of_a_pipe(say):
    outcome = say("It was a truth\nShe said\n")
    outcome.expect(GRADED)
    first, second = outcome.output.rstrip("\n").split("\n", 1)
    assert len(first) > 100 and second and "> " not in outcome.output
    outcome.expect_no("\x1b", "tokens a second", "prefix hits")


def test_a_seed_another_text_and_the_temperature_0_always_the_same(say):
    answers = [say(f"{lines}It was\n").output for lines in
               ["", "", "/seed 8\n", "/temperature 0\n", "/temperature 0\n/seed 8\n"]]
    assert answers[0] == answers[1] != answers[2]
    assert answers[3] == answers[4] != answers[0]


def test_the_text_does_not_depend_on_the_blocks(say):
    two = "/two\nElizabeth was\nMr. Darcy said\n"
    roomy = say(two).output
    assert roomy.startswith("A:") and "\nB:" in roomy
    for options in [("--block-size", "1", "--blocks", "1000"), ("--blocks", "8")]:
        assert say(two, *options).output == roomy


def test_a_prompt_goes_on_with_the_text_until_a_reset(say):
    alone = say("/temperature 0\nShe said\n").output
    after = say("/temperature 0\nIt was\nShe said\n").output
    reset = say("/temperature 0\nIt was\n/reset\nShe said\n").output
    assert reset.endswith(alone) and not after.endswith(alone)


@pytest.mark.parametrize("line, says", [
    ("/temperature nan", "as /temperature 0.8"),
    ("/temperature -1", "as /temperature 0.8"),
    ("/seed 1.5", "as /seed 7"),
    ("/pace 1001", "as /pace 20"),
    ("/model nowhere", 'has no config.json; --model takes a folder'),
    ("/dance", "there is no command /dance; /help lists them"),
    ("word " * 600, "tokens, and there is room for 512 with the answer; shorten it"),
])
def test_a_line_that_cannot_be_used_ends_a_pipe(say, line, says):
    say(line + "\nIt was\n").expect(USAGE, says)


def test_two_prompts_are_needed_for_two(say):
    say("/two\nalone\n").expect(USAGE, "needs a prompt in each of the next two lines")


@pytest.mark.parametrize("options, says", [
    (["--blocks", "0"], "--blocks"),
    (["--blocks", "900000000"], "more than half of this machine's memory"),
    (["--model", "nowhere"], "has made no model of this name"),
    (["--temperature", "nan"], "is no number from 0 to 100"),
])
def test_an_option_that_cannot_be_used_is_refused(say, options, says):
    say("It was\n", *options).expect(USAGE, says)


def test_a_reader_that_goes_away_ends_it_without_a_word(kit):
    command = f"printf 'It was\\nIt was\\n' | '{kit.program}' chat --tree solution | head -c 9"
    env = {"LAB_ROOT": str(ROOT), "LAB_BUILD_DIR": str(kit.build), "TERM": "dumb"}
    child = pexpect.spawn("sh", ["-c", command], env={**env, "PATH": "/usr/bin:/bin"}, timeout=60)
    child.expect(pexpect.EOF)
    assert b"crash" not in child.before and b"lab:" not in child.before


def test_a_terminal_shows_the_engine_below_the_text(kit):
    chat = Chat(kit, "--max-tokens", "20")
    chat.type("It was a truth")
    shown = chat.answer_ends()
    assert re.search(r"20 tokens, \d+ a second, prompt: \d+ tokens, 0 of prefix", shown)
    assert re.search(r"blocks: [12] in use, 0 cached; 0 preemptions, 0 waiting", shown)  # live
    assert re.search(r"blocks: 0 in use, 1 cached; 0 preemptions, 0 waiting", shown)
    chat.type("It was")
    assert "16 of prefix hits" in chat.answer_ends()
    chat.end()


def test_ctrl_c_stops_an_answer_and_its_blocks_come_back(kit):
    chat = Chat(kit, "--max-tokens", "400")
    chat.type("/pace 50")
    chat.answer_ends()
    chat.type("/blocks")
    assert "." * 48 + "\n" + "." * 16 + "\n" in chat.answer_ends()
    chat.type("It was a truth")
    chat.child.expect("[2-9] in use")
    chat.child.sendintr()
    assert "blocks: 0 in use" in chat.answer_ends()
    chat.type("/blocks")
    assert re.search(r"c{1,9}\.{39}", chat.answer_ends())
    chat.end()


def test_ctrl_c_gives_up_a_line_and_not_the_chat(kit):
    chat = Chat(kit, "--max-tokens", "5")
    chat.child.send("/seed x")
    chat.child.expect_exact("/seed x")
    chat.child.sendintr()
    chat.answer_ends()
    chat.type("/seed y")
    assert '"y" is not what this command takes' in chat.answer_ends()
    chat.end()


def test_two_answers_share_the_blocks_of_the_text(kit):
    chat = Chat(kit, "--max-tokens", "60")
    chat.type("It was a truth")
    chat.answer_ends()
    chat.type("/blocks")
    chat.answer_ends()
    chat.type("/two")
    chat.child.expect("A> ")
    chat.type("She said")
    chat.child.expect("B> ")
    chat.type("He said")
    shown = chat.answer_ends()
    assert re.search(r"\+\+\+?[.cAB]", shown)
    assert re.search(r"A:.{20}.*\nB:.{20}", shown, re.S)
    words = shown[shown.rindex("\nA: "):].split()  # the whole answer, after its lines that moved
    assert all(first in words for first in re.findall(r"^A: (\S+)", shown, re.M))
    chat.end()


def test_colors_where_a_terminal_has_them(kit):
    chat = Chat(kit, "--max-tokens", "5", env={"NO_COLOR": ""})
    chat.type("/blocks")
    assert "\x1b[2m.\x1b[0m" in chat.answer_ends()
    chat.end()


def test_a_lab_that_is_not_done_is_the_solutions(kit):
    tree = kit.new_folder("half")
    copy_labs(tree, "solution")
    copy_lab(lab_of("04"), tree)
    solve_up_to(lab_of("04"), "4.5", tree)
    shutil.rmtree(tree / lab_of("05").folder)
    asked = kit.lab("chat", "--tree", tree, "--max-tokens", "5", stdin="Emma was\n")
    asked.expect(GRADED, "lab 04 is not done in ", "lab 05 is not done in ", "takes the solution's")
    assert "lab 03 is not done" not in asked.output


def test_a_lab_07_that_is_half_done_names_the_function_that_is_missing(kit):
    tree = kit.new_folder("almost")
    copy_labs(tree, "solution")
    copy_lab(lab_of("07"), tree)
    solve_up_to(lab_of("07"), "7.5", tree)
    kit.lab("chat", "--tree", tree).expect(
        USAGE, "needs all core steps of lab 07", "7.6 preempt_request is not written",
        "./lab chat --tree solution")
