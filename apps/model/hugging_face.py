"""What a GGUF says, as the files of a folder of Hugging Face say it: config.json,
tokenizer_config.json and generation_config.json, and the names of the tensors."""

import re
import struct

from entries import given, need, refuse_other, text_of
from gguf import Refused
from tokenizer_file import adds_beginning

# By the name of an architecture, as both have it.
CLASSES = {"llama": "LlamaForCausalLM", "qwen3": "Qwen3ForCausalLM"}
LAYER_TENSORS = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj"}
OTHER_TENSORS = {"token_embd.weight": "model.embed_tokens.weight",
                 "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}


def config_of(entries, tensors):
    kind = refuse_other(entries, "general.architecture", *CLASSES)
    refuse_other(entries, f"{kind}.expert_count", 0)
    refuse_other(entries, f"{kind}.pooling_type", 0)
    refuse_other(entries, f"{kind}.attention.causal", True)
    if "token_embd.weight" not in tensors:
        raise Refused("lacks the tensor token_embd.weight")
    return {
        "architectures": [CLASSES[kind]], "model_type": kind, "hidden_act": "silu",
        "vocab_size": tensors["token_embd.weight"].shape[0],
        "intermediate_size": need(entries, f"{kind}.feed_forward_length"),
        "num_hidden_layers": need(entries, f"{kind}.block_count"), **_heads(entries, kind),
        "max_position_embeddings": need(entries, f"{kind}.context_length"),
        "rms_norm_eps": _short(need(entries, f"{kind}.attention.layer_norm_rms_epsilon", float)),
        "rope_theta": _short(given(entries, f"{kind}.rope.freq_base", 10000.0, float)),
        "rope_scaling": _rope_scaling(entries, tensors, kind),
        "tie_word_embeddings": "output.weight" not in tensors,
        **{name: given(entries, f"tokenizer.ggml.{name}", None)
           for name in ("bos_token_id", "eos_token_id")}}


def _heads(entries, kind):
    hidden, heads = (need(entries, f"{kind}.{name}")
                     for name in ("embedding_length", "attention.head_count"))
    head_dim = given(entries, f"{kind}.attention.key_length", hidden // max(heads, 1))
    for name in ("rope.dimension_count", "attention.value_length"):
        refuse_other(entries, f"{kind}.{name}", head_dim)
    key_heads = entries.get(f"{kind}.attention.head_count_kv", heads)
    if not isinstance(key_heads, int) or key_heads < 1 or heads % key_heads:
        raise Refused(f'has "{kind}.attention.head_count_kv": {key_heads!r}; a divisor of '
                      f"{kind}.attention.head_count can be read")
    return {"hidden_size": hidden, "num_attention_heads": heads, "num_key_value_heads": key_heads,
            "head_dim": head_dim}


def _rope_scaling(entries, tensors, kind):
    if "rope_freqs.weight" in tensors:
        raise Refused("has the tensor rope_freqs.weight, scaled rotary embeddings whose numbers "
                      "cannot be taken back; give the folder of Hugging Face that it was made of")
    # What llama.cpp takes: linear scaling without a type, and an older entry for the factor.
    scaling = refuse_other(entries, f"{kind}.rope.scaling.type", "linear", "none")
    older = given(entries, f"{kind}.rope.scale_linear", 0.0, float)
    factor = given(entries, f"{kind}.rope.scaling.factor", older, float)
    if scaling == "none" or factor in (0, 1):
        return None
    return {"rope_type": "linear", "factor": factor}


def _short(number):
    """The shortest number that is the same one in 32 bits: 1e-05 for 9.999999747378752e-06."""
    bits = struct.pack("<f", number)
    shorter = (float(f"{number:.{digits}g}") for digits in range(1, 10))
    return next((short for short in shorter if struct.pack("<f", short) == bits), number)


def tensors_of(tensors, config):
    """From each name of Hugging Face to the tensor, and the heads of one whose rows are moved."""
    # A GGUF has the rows of a Qwen 3 in the order of Hugging Face.
    has_other_order = config["model_type"] == "llama"
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    found = {}
    for name, stored in tensors.items():
        layer = re.fullmatch(r"blk\.(\d+)\.(\w+)\.weight", name)
        if name not in OTHER_TENSORS and not (layer and layer[2] in LAYER_TENSORS):
            raise Refused(f"has the tensor {name}, which a Llama or a Qwen 3 without biases lacks")
        if not layer:
            found[OTHER_TENSORS[name]] = (stored, None)
            continue
        num_heads = heads.get(layer[2])
        if num_heads and stored.shape[0] != num_heads * config["head_dim"]:
            raise Refused(f"has other rows in {name} than its heads need")
        found[f"model.layers.{layer[1]}.{LAYER_TENSORS[layer[2]]}.weight"] = (
            stored, num_heads if has_other_order else None)
    return found


def tokenizer_config_of(entries):
    tokens, given_tokens = need(entries, "tokenizer.ggml.tokens", list), {}
    for file_name, name in (("bos", "bos"), ("eos", "eos"), ("unknown", "unk"), ("padding", "pad")):
        number = given(entries, f"tokenizer.ggml.{file_name}_token_id", len(tokens))
        if number < len(tokens):
            given_tokens[f"{name}_token"] = text_of(tokens[number])
    template = entries.get("tokenizer.chat_template")
    return {"tokenizer_class": "PreTrainedTokenizerFast",
            "add_bos_token": adds_beginning(entries),
            **given_tokens,
            **({"chat_template": text_of(template)} if isinstance(template, bytes) else {})}


def generation_config_of(entries):
    """Tokens that end a text, of a turn (eot) and of a message (eom), too."""
    ends = {given(entries, f"tokenizer.ggml.{name}_token_id", None)
            for name in ("eos", "eot", "eom")}
    return {"eos_token_id": sorted(ends - {None})}
