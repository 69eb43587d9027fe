"""A tree whose fifth step breaks, in the way that the environment variable FAULT names."""

from kit import copy_labs, replace_in

FAULTS = {
    "stub": "lab 07, step 7.6: preempt_request is not written yet; "
            "write it, ./lab grade says how far it is",
    "rule": 'a call breaks the rule "I1: each of them once"; ./lab grade finds the call',
    "lost": "the tree throws an exception: lost; ./lab grade finds the call",
}

BEGIN = "  require_sampled(output, s"

# "early": the first step throws. "empty": a request is listed again, without a token. Any other
# fault: the fifth step has no end.
BREAKS = """\
  static int num_steps = 0;
  const std::string fault = std::getenv("FAULT");
  if (fault == "early") throw std::out_of_range("early");
  if (++num_steps == 5) {
    if (fault == "stub") throw NotImplemented("7.6 preempt_request");
    if (fault == "rule") throw ContractViolation("I1: each of them once");
    if (fault == "lost") throw std::out_of_range("lost");
    const std::string id = requests_.begin()->first;
    if (fault == "empty") return {{id, sampled_token_ids[0]}, {id}};
    std::puts("no end");
    std::fflush(stdout);
    for (volatile bool goes_on = true; goes_on;) {
    }
  }
"""


def broken_stack(kit):
    tree = kit.new_folder("broken")
    copy_labs(tree, "solution")
    file = tree / "07-serving/scheduler.cpp"
    replace_in(file, BEGIN, BREAKS + BEGIN)
    file.write_text("#include <cstdio>\n#include <cstdlib>\n" + file.read_text())
    return tree
