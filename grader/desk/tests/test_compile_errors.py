"""messages to a student: the first error of a compiler, for the usual errors of beginners"""

import re
import textwrap
from pathlib import Path

import pytest

from kit import GRADED, ROOT, copy_lab, lab_of, replace_in

LAB = lab_of("01").folder
FILE = f"{LAB}/free_kv_cache_block_queue.cpp"
GENERATE = "  std::ranges::generate(blocks, [this] { return popleft(); });\n"

# In the solution of lab 01: the error, what it replaces, and what g++ and clang++ have to say
# beside file and line.
ERRORS = {
    "a missing semicolon": (
        "    blocks.push_back(block);\n", "    blocks.push_back(block)\n",
        "expected ‘;’", "expected ';'"),
    "a missing include": (
        "#include <algorithm>\n", "",
        "‘generate’ is not a member of ‘std::ranges’", "no member named 'generate'"),
    "a member that is not const": (
        "get_all_free_blocks() const {\n", "get_all_free_blocks() {\n",
        "note: candidate is: ‘std::vector<kv::KVCacheBlock*> "
        "kv::FreeKVCacheBlockQueue::get_all_free_blocks() const’",
        "does not match because it is const qualified"),
    "a change in a const member": (
        "  KVCacheBlock* block = sentinel_.next_free_block;\n",
        "  KVCacheBlock* block = sentinel_.next_free_block = nullptr;\n",
        "in read-only object", "within const member function"),
    ". on a pointer": (
        "    block = block->next_free_block;\n", "    block = block.next_free_block;\n",
        "maybe you meant to use ‘->’", "did you mean to use '->'?"),
    "two types for one template parameter": (
        GENERATE, "  blocks.resize(std::min(num_blocks, 3));\n",
        "note: deduced conflicting types for parameter ‘const _Tp’ (‘long unsigned int’ and ‘int’)",
        "deduced conflicting types for parameter '_Tp' ('std::size_t' (aka 'unsigned long') vs. "
        "'int')"),
    "a value where a function belongs": (
        GENERATE, "  std::ranges::generate(blocks, popleft());\n",
        "note: the expression ‘is_invocable_v<_Fn, _Args ...> [with _Fn = kv::KVCacheBlock*&",
        "note: because 'kv::KVCacheBlock *&' does not satisfy 'invocable'"),
    "too many arguments": (
        "  remove(*head);\n", "  remove(*head, 1);\n",
        "note: candidate expects 1 argument, 2 provided", "too many arguments to function call"),
    "a pointer for a reference": (
        "  remove(*head);\n", "  remove(head);\n",
        "initializing argument 1 of ‘void kv::FreeKVCacheBlockQueue::remove(kv::KVCacheBlock&)’",
        "passing argument to parameter 'block' here"),
    "an object for a pointer": (
        "    blocks.push_back(block);\n", "    blocks.push_back(*block);\n",
        "no known conversion for argument 1 from ‘kv::KVCacheBlock’ to ‘kv::KVCacheBlock* const&’",
        "no known conversion from 'kv::KVCacheBlock' to"),
    "a second declaration": (
        "  remove(*head);\n", "  remove(*head);\n  int head = 0;\n",
        "note: previous declaration as ‘kv::KVCacheBlock* head’", "previous definition is here"),
    "a missing namespace": (
        "  std::vector<KVCacheBlock*> blocks;\n", "  vector<KVCacheBlock*> blocks;\n",
        "note: suggested alternatives: ‘std::vector’", "did you mean 'std::vector'?"),
    "a missing closing brace": (
        "  --num_free_blocks_;\n}\n", "  --num_free_blocks_;\n",
        "does the function before it lack its closing brace?",
        "does the function before it lack its closing brace?"),
}


@pytest.fixture
def graded(kit, fake_cmake):
    """Grades the solution after an edit: returns the file, and the message about lab 01."""
    tree = kit.new_folder("tree")
    copy_lab(lab_of("01"), tree, "solution")

    def grade(old=None, new=None):
        if old:
            assert (tree / FILE).read_text().count(old) == 1
            replace_in(tree / FILE, old, new)
        outcome = fake_cmake.lab("grade", "01", "--tree", tree)
        outcome.expect(GRADED, "does not compile", "\n    next: fix ")
        message = re.search(r"does not compile.*\n((?:.*\n)*)    next: fix ", outcome.output)[1]
        return tree / FILE, textwrap.dedent(message)
    return grade


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_has_its_file_its_line_and_the_note_that_decides(
        kit, fake_cmake, compiler, graded, error):
    old, new, *says = ERRORS[error]
    fake_cmake.builds_by(f'{compiler} -std=c++20 -fsyntax-only -I "{ROOT}/labs" '
                         f'"{kit.build}/stage/{FILE}"; exit $?')
    file, message = graded(old, new)
    assert message.startswith(f"{file}:") and "\n/usr/" not in message
    # Why without kv::: newer versions of clang leave it out.
    assert says[compiler == "clang++"].replace("kv::", "") in message.replace("kv::", "")


# The errors of g++ 16: what explains one is a list, and the place of an item is below it.
LISTS = {
    "too many arguments": (
        "FILE:45:9: error: no matching function for call to ‘remove(kv::KVCacheBlock&, int)’\n"
        "   45 |   remove(*head, 1);\n"
        "      |   ~~~~~~^~~~~~~~~~\n"
        "  • there is 1 candidate\n"
        "    • candidate 1: ‘void remove(kv::KVCacheBlock&)’\n"
        "      FILE:33:6:\n"
        "         33 | void remove(KVCacheBlock& block) {\n"
        "            |      ^~~~~~\n"
        "      • candidate expects 1 argument, 2 provided\n",
        "FILE:45:9: error: no matching function for call to ‘remove(kv::KVCacheBlock&, int)’\n"
        "   45 |   remove(*head, 1);\n"
        "      |   ~~~~~~^~~~~~~~~~\n"
        "note: candidate expects 1 argument, 2 provided\n"),
    "a member that is not const": (
        "FILE:22:28: error: no declaration matches ‘std::vector<int> get()’\n"
        "   22 | std::vector<int> get() {\n"
        "      |                  ^~~\n"
        "  • there is 1 candidate\n"
        "In file included from FILE:1:\n"
        "    • candidate is: ‘std::vector<int> get() const’\n"
        "      FOLDER/queue.h:44:30:\n"
        "         44 |   std::vector<int> get() const;\n"
        "            |                    ^~~\n"
        "FOLDER/queue.h:30:7: note: ‘class Queue’ defined here\n",
        "FILE:22:28: error: no declaration matches ‘std::vector<int> get()’\n"
        "   22 | std::vector<int> get() {\n"
        "      |                  ^~~\n"
        "FOLDER/queue.h:44:30: note: candidate is: ‘std::vector<int> get() const’\n"),
}


@pytest.mark.parametrize("error", LISTS)
def test_an_item_of_a_list_below_an_error_is_a_note(kit, fake_cmake, graded, error):
    output, says = LISTS[error]
    stage = f"{kit.build}/stage/{FILE}"
    output = output.replace("FILE", stage).replace("FOLDER", str(Path(stage).parent))
    fake_cmake.fails_with(output, "*_student*")
    file, message = graded()
    assert message == says.replace("FILE", str(file)).replace("FOLDER", str(file.parent))


# What a build says, and how its message begins.
PLACES = {
    "inside a library, the place is the line that led there": (
        "In file included from /usr/include/c++/12/memory:76:\n"
        "/usr/include/c++/12/bits/unique_ptr.h: In instantiation of ‘void f()’:\n"
        "FILE:7:3:   required from here\n"
        "/usr/include/c++/12/bits/unique_ptr.h:93:23: error: static assertion failed\n",
        "FILE:7:3: error: static assertion failed"),
    "a linker names the line of the student": (
        "/usr/bin/ld: a.cpp.o: in function `f()':\n"
        "FILE:45: undefined reference to `g()'\n",
        "FILE:45: error: undefined reference to `g()'"),
    "a newer linker names the section, too": (
        "/usr/bin/ld: a.cpp.o: in function `f()':\n"
        "FILE:45:(.text+0x20): undefined reference to `g()'\n",
        "FILE:45: error: undefined reference to `g()'"),
    "of two definitions, the one of the student is named": (
        "/usr/bin/ld: main.cpp.o: in function `main':\n/kit/main.cpp:9: multiple definition of "
        "`main'; stage/a.cpp.o:FILE:78: first defined here\n",
        "FILE:78: error: multiple definition of `main'"),
    "an assembler's temporary file is not named": (
        "FAILED: a.cpp.o \n/usr/bin/g++ -O1 -o a.cpp.o -c FILE\n"
        "/tmp/ccScdCXO.s: Assembler messages:\n"
        "/tmp/ccScdCXO.s:6: Error: no such instruction: `bogus'\n",
        "FILE: error: no such instruction: `bogus'"),
    "nor where the build does not say what it compiles": (
        "/tmp/ccScdCXO.s: Assembler messages:\n"
        "/tmp/ccScdCXO.s:6: Error: no such instruction: `bogus'\n",
        "an asm statement: error: no such instruction: `bogus'"),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_place_is_in_the_file_of_the_student(kit, fake_cmake, graded, place):
    output, begin = PLACES[place]
    fake_cmake.fails_with(output.replace("FILE", f"{kit.build}/stage/{FILE}"), "*_student*")
    file, message = graded()
    assert message.startswith(begin.replace("FILE", str(file)))


@pytest.mark.parametrize("line", [
    "gmake[3]: *** [CMakeFiles/lab01_student.dir/a.cpp.o] Error 1",
    "make: *** [Makefile:9: all] Error 2",
    "ninja: build stopped: subcommand failed."])
def test_a_message_has_no_line_of_what_builds(kit, fake_cmake, graded, line):
    source = "    3 | return 1\n      |         ^\n"
    error = f"{kit.build}/stage/{FILE}:3:9: error: expected ‘;’\n{source}"
    fake_cmake.fails_with(f"{error}{line}\n", "*_student*")
    _, message = graded()
    assert source in message and line not in message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_in_utf_16_is_named_with_what_to_do(kit, encoding):
    tree = kit.new_folder("utf-16")
    copy_lab(lab_of("01"), tree, "solution")
    mark = "\ufeff" if encoding.endswith("be") else ""
    (tree / FILE).write_text(mark + (tree / FILE).read_text(), encoding=encoding)
    kit.lab("grade", "01", "--tree", tree).expect(
        GRADED, f"{tree / FILE}:1:1: error: the file is saved as UTF-16; save it as UTF-8")
