"""./lab generate: one hash for all settings; bad input and a broken tree are a clear error"""

import re

import pytest

from kit import GRADED, USAGE, copy_lab, lab_of, replace_in
from small_checkpoint import SmallCheckpoint

LAB = lab_of("07")
PROMPTS = "abcdefgh\nabcdefgi\nxyz\n\nq\r\nabcdefgh\nhello\nabcdefghijklm\nz\n"


@pytest.fixture(scope="module")
def generate(kit):
    return lambda *options, tree="solution": kit.lab("generate", "--tree", tree, *options)


@pytest.fixture(scope="module")
def speak(kit, generate):
    """Runs the small checkpoint, or one with these changes."""
    def command(*options, tree="solution", config=None, shapes=None, tokenizer=None, dtype="F32"):
        folder = kit.new_folder("model")
        checkpoint = SmallCheckpoint(dtype=dtype)
        checkpoint.config.update(config or {})
        checkpoint.shapes.update(shapes or {})
        checkpoint.tokenizer.update(tokenizer or {})
        checkpoint.write(folder)
        return generate(*options, "--model", folder, tree=tree)
    return command


@pytest.fixture(scope="module")
def speak_a_little(speak):
    return lambda **changes: speak("ab", "--max-tokens", "20", **changes)


def hash_in(outcome):
    outcome.expect(GRADED)
    return re.findall("logits .*", outcome.output)[-1]


def num_steps_in(outcome):
    return int(re.findall(r"([\d,]+) steps", outcome.output)[-1].replace(",", ""))


def test_the_model_of_the_lab_speaks(generate):
    outcome = generate("Once upon")
    outcome.expect(GRADED, "Once upon", "logits ")


def test_one_hash_for_all_sizes_and_numbers_of_blocks(kit, speak):
    prompts = kit.build / "prompts.txt"
    prompts.write_bytes(PROMPTS.encode())
    outcomes = [speak("--prompts", prompts, "--max-tokens", "40", "--block-size", size,
                      "--blocks", number, "--rules", rules)
                for size, number, rules in [(16, 64, "vllm_0_22"), (1, 70, "vllm_0_33"),
                                            (4, 17, "vllm_0_33"), (4, 17, "vllm_0_22")]]
    assert len({hash_in(outcome) for outcome in outcomes}) == 1
    outcomes[-1].expect_no(" 0 preemptions")  # it has few blocks
    outcomes[-1].expect(GRADED, " preemptions", "[8] z")


def test_rules_of_another_release_are_refused_and_those_that_there_are_named(generate):
    generate("Once", "--rules", "vllm_0_99").expect(USAGE, "{vllm_0_22,vllm_0_33}")


def test_with_drafts_the_same_hash_after_fewer_steps(speak):
    asked = ["abcabcabc", "--temperature", "0", "--max-tokens", "60"]
    without, with_drafts = speak(*asked), speak(*asked, "--drafts", "3")
    assert hash_in(without) == hash_in(with_drafts)
    assert 0 < num_steps_in(with_drafts) < num_steps_in(without)


def test_answers_are_those_of_as_many_requests(kit, speak):
    prompts = kit.build / "prompts.txt"
    prompts.write_text("abcabcabc\nabcabcabc\nabcabcabc\nxyz\nxyz\nxyz\n")
    one_by_one = speak("--prompts", prompts, "--max-tokens", "40")
    prompts.write_text("abcabcabc\nxyz\n")
    for blocks in ["64", "9"]:
        forked = speak("--prompts", prompts, "--max-tokens", "40", "--answers", "3",
                       "--blocks", blocks, "--block-size", "8")
        forked.expect(GRADED, "[6] xyz", " tokens shared by answers, ", " blocks copied, ")
        assert hash_in(forked) == hash_in(one_by_one)


@pytest.fixture(scope="module")
def usual_hash(speak_a_little):
    return hash_in(speak_a_little())


def newer_form(theta, kind="default"):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": theta}}


@pytest.mark.parametrize("changes", [
    {"dtype": "F16"}, {"dtype": "BF16"},
    {"config": {"tie_word_embeddings": False}, "shapes": {"lm_head.weight": [257, 16]}},
    {"shapes": {"lm_head.weight": [257, 16]}}, {"config": newer_form(10000.0)},
], ids=["F16", "BF16", "embedding-written-twice", "tied-and-written-twice", "newer-form"])
def test_another_form_of_the_same_numbers_has_the_same_hash(speak_a_little, usual_hash, changes):
    assert hash_in(speak_a_little(**changes)) == usual_hash


def test_rope_theta_is_read_in_newer_form(speak_a_little, usual_hash):
    assert hash_in(speak_a_little(config=newer_form(500.0))) != usual_hash


def test_scaled_rope_is_computed(speak_a_little, usual_hash):
    scaled = {"rope_scaling": {"type": "linear", "factor": 2}}
    assert hash_in(speak_a_little(config=scaled)) != usual_hash


def test_a_byte_that_is_no_letter_is_shown_as_one(speak):
    """A token is a byte here, and at this temperature each of them comes."""
    outcome = speak("ab", "--max-tokens", "50", "--temperature", "50")
    outcome.expect(GRADED, "\N{REPLACEMENT CHARACTER}")
    outcome.expect_no("\\x")


@pytest.mark.parametrize("changes, sentence", [
    ({"shapes": {"model.layers.0.self_attn.q_proj.bias": [16]}},
     "model.layers.0.self_attn.q_proj.bias; choose another model"),
    ({"dtype": "I32"}, "numbers of type I32; F32, F16 and BF16 can be read"),
    ({"config": {"num_attention_heads": 0}}, '"num_attention_heads": 0; only a whole number'),
    ({"config": {"vocab_size": 200}, "shapes": {"model.embed_tokens.weight": [200, 16]}},
     "more tokens than the model"),
    ({"config": newer_form(10000.0, "llama3")}, 'lacks "factor": a number is needed; choose'),
    ({"config": newer_form(10000.0, "yarn")}, '"rope_type": "yarn"; only "default", "linear"'),
    ({"config": {"model_type": "gpt2"}}, '"model_type": "gpt2"; only "llama" or "qwen3" is read'),
])
def test_a_checkpoint_that_cannot_be_run_is_refused(speak_a_little, changes, sentence):
    speak_a_little(**changes).expect(USAGE, sentence)


def processor(*single):
    special = {name: {"id": name, "ids": ids, "tokens": [name] * len(ids)}
               for name, ids in [("<|endoftext|>", [0]), ("<two>", [98, 99]), ("<far>", [257])]}
    entries = [{"Sequence": {"id": "A", "type_id": 0}} if name == "A" else
               {"SpecialToken": {"id": name, "type_id": 0}} for name in single]
    return {"type": "TemplateProcessing", "single": entries, "pair": entries,
            "special_tokens": special}


def prompt_length(speak, post_processor):
    """The room for a prompt of 70 letters is refused with its number of tokens."""
    outcome = speak("a" * 70, tokenizer={"post_processor": post_processor})
    return int(re.findall(r"prompt 1 has (?:at least )?(\d+) tokens", outcome.output)[0])


@pytest.mark.parametrize("post_processor, num_tokens", [
    (None, 70), ({"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False}, 70),
    (processor("<|endoftext|>", "A"), 71), (processor("<two>", "<|endoftext|>", "A"), 73),
    ({"type": "Sequence", "processors": [processor("<two>", "A"), {"type": "ByteLevel"}]}, 72),
])
def test_the_tokens_before_a_text_are_those_of_the_post_processor(speak, post_processor,
                                                                  num_tokens):
    """Not the bos_token_id of config.json."""
    assert prompt_length(speak, post_processor) == num_tokens


def test_of_two_templates_the_last_one_is_the_outer_one(speak_a_little):
    processors = [processor("<two>", "A"), processor("<|endoftext|>", "A")]
    one, two = ({"post_processor": {"type": "Sequence", "processors": order}}
                for order in (processors, processors[::-1]))
    joined = {"post_processor": processor("<|endoftext|>", "<two>", "A")}
    assert hash_in(speak_a_little(tokenizer=one)) == hash_in(speak_a_little(tokenizer=joined))
    assert hash_in(speak_a_little(tokenizer=two)) != hash_in(speak_a_little(tokenizer=joined))


@pytest.mark.parametrize("post_processor, sentence", [
    (processor("A", "<|endoftext|>"), 'tokenizer.json has a post_processor that puts '
                                      '"<|endoftext|>" after each text, and a text with an end'),
    (processor("A", "A"), 'whose entry "single" has not one text'),
    (processor("<far>", "A"), "has a post_processor with token 257, which the model lacks"),
    ({"type": "RobertaProcessing"}, "has a post_processor of type RobertaProcessing; Template"),
    ({"type": "TemplateProcessing"}, "has a post_processor that cannot be read"),
])
def test_a_post_processor_that_cannot_be_followed_is_refused(speak_a_little, post_processor,
                                                             sentence):
    speak_a_little(tokenizer={"post_processor": post_processor}).expect(USAGE, sentence)


@pytest.mark.parametrize("options, sentence", [
    ([], "give a prompt"),
    (["--prompts", "/nowhere"], '"/nowhere" cannot be read'),
    (["--prompts", "/dev/null"], "has no prompt"),
    (["a" * 70], "prompt 1 has 71 tokens"),
    (["a" * 100_000], "prompt 1 has at least "),
    (["ab", "--blocks", "0"], "--blocks: Value 0 not in range"),
    (["ab", "--blocks", "2"], "give --blocks 4, or fewer --max-tokens"),
    (["ab", "--blocks", "1000000000"], "give fewer, with --blocks"),
    (["ab", "--temperature", "nan"], '"nan" is no number from 0 to 100'),
    (["ab", "--top-p", "0"], '"0" is no number above 0, up to 1'),
    (["ab", "--fast"], "--fast; run ./lab generate --help"),
])
def test_bad_input_is_refused(speak, options, sentence):
    speak(*options).expect(USAGE, sentence)


def test_a_model_that_is_not_there_is_refused(generate):
    generate("ab", "--model", "/nowhere").expect(
        USAGE, '"/nowhere" has no config.json; --model takes a folder')


def test_a_tree_that_is_not_written_is_refused(generate):
    generate("ab", tree="starter").expect(USAGE, "7.1 add_request is not written in starter/")


@pytest.mark.parametrize("statement, sentence", [
    ('throw std::out_of_range("lost");', "the tree throws an exception: lost"),
    ("*reinterpret_cast<volatile int*>(8) = 1;", "generate crashed"),
    ("for (volatile int i = 0; i < 1;) {}", "a step has taken 10 s of processor time"),
    ("if (block_size_ > 0) return {};", "1000 steps, and no request"),
    ("std::exit(7);", "generate ended early, with status 7"),
])
def test_a_tree_that_breaks_is_refused(kit, speak, statement, sentence):
    tree = kit.new_folder("tree")
    copy_lab(LAB, tree, "solution")
    schedule = "const SchedulerOutput output = scheduler_.schedule();"
    replace_in(tree / LAB.folder / "engine.cpp", schedule, f"{statement}\n  {schedule}")
    speak("ab", tree=tree).expect(USAGE, sentence)
