"""shell completion: every command, option, lab and step is offered"""

import re

import pytest

from kit import ROOT, USAGE, need, run

# A program for each shell that prints what is offered after "./lab $2 $3", a word or "word: what
# for" a line. $1 is the completion script. Why stubs in zsh: its own functions need a terminal.
SHELLS = {
    "bash": r"""source "$1"
[ -n "$3" ] && COMP_WORDS=(./lab "$2" "$3") || COMP_WORDS=(./lab "$2")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_pagedlab
printf '%s\n' "${COMPREPLY[@]}" """,
    "zsh": r"""compdef() { : }
_describe() { print -l -- $commands }
_arguments() { for offer; do print -l -- ${(s: :)${${offer#*:argument:\(}%\)}}; done }
source "$1"
words=(./lab "$2" ${3:+"$3"})
CURRENT=$#words
_pagedlab""",
    "fish": r"""source $argv[1]
complete -C (string join -- " " ./lab $argv[2..])""",
}


class Shell:
    def __init__(self, name, kit):
        need(name)
        self.name = name
        self.script = kit.build / f"completion.{name}"
        self.script.write_text(kit.lab("completion", name).output)

    def offers(self, *words):
        zero = [] if self.name == "fish" else [self.name]
        argv = [self.name, "-c", SHELLS[self.name], *zero, self.script, *words]
        return {re.split(r"[\t:\[]", line)[0] for line in run(argv).output.splitlines()}


@pytest.fixture(params=SHELLS)
def shell(request, kit):
    return Shell(request.param, kit)


def test_every_command_is_offered(shell):
    commands = set(re.findall(r"^  \./lab ([a-z-]+)", run([ROOT / "lab", "help"]).output, re.M))
    offered = set().union(*(shell.offers(command[:2]) for command in commands))
    assert commands and commands <= offered


@pytest.mark.parametrize("command", ["grade", "test", "simt"])
def test_every_option_is_offered(shell, kit, command):
    help_text = kit.lab(command, "--help").output
    options = set(re.findall(r"^ +(?:-[a-zA-Z], *)?(--[a-z-]+)", help_text, re.M))
    assert len(options) > 3 and options <= shell.offers(command, "--")


def test_labs_are_offered(shell):
    assert {"01", "06"} <= shell.offers("grade", "0")


def test_steps_are_offered(shell):
    assert {"2.1", "2.3"} <= shell.offers("hint", "2.")


def test_another_shell_is_refused_and_the_shells_are_named(kit):
    kit.lab("completion", "tcsh").expect(USAGE, "bash,zsh,fish")
