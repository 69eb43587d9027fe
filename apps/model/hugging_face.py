"""What a GGUF says, as the files of a folder of Hugging Face say it: config.json,
tokenizer_config.json and generation_config.json, and the names of the tensors."""

import re
import struct

from entries import given, need, refuse_other, text_of
from gguf import Refused
from tokenizer_file import adds_beginning

LAYER_TENSORS = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj"}
OTHER_TENSORS = {"token_embd.weight": "model.embed_tokens.weight",
                 "output_norm.weight": "model.norm.weight", "output.weight": "lm_head.weight"}


def config_of(entries, tensors):
    refuse_other(entries, "general.architecture", "llama")
    refuse_other(entries, "llama.expert_count", 0)
    if "token_embd.weight" not in tensors:
        raise Refused("lacks the tensor token_embd.weight")
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu",
        "vocab_size": tensors["token_embd.weight"].shape[0],
        "intermediate_size": need(entries, "llama.feed_forward_length"),
        "num_hidden_layers": need(entries, "llama.block_count"), **_heads(entries),
        "max_position_embeddings": need(entries, "llama.context_length"),
        "rms_norm_eps": _short(need(entries, "llama.attention.layer_norm_rms_epsilon", float)),
        "rope_theta": _short(given(entries, "llama.rope.freq_base", 10000.0, float)),
        "rope_scaling": _rope_scaling(entries, tensors),
        "tie_word_embeddings": "output.weight" not in tensors,
        **{name: given(entries, f"tokenizer.ggml.{name}", None)
           for name in ("bos_token_id", "eos_token_id")}}


def _heads(entries):
    hidden, heads = (need(entries, f"llama.{name}")
                     for name in ("embedding_length", "attention.head_count"))
    head_dim = given(entries, "llama.attention.key_length", hidden // max(heads, 1))
    refuse_other(entries, "llama.rope.dimension_count", head_dim)
    key_heads = entries.get("llama.attention.head_count_kv", heads)
    if not isinstance(key_heads, int) or key_heads < 1 or heads % key_heads:
        raise Refused(f'has "llama.attention.head_count_kv": {key_heads!r}; a divisor of '
                      "llama.attention.head_count can be read")
    return {"hidden_size": hidden, "num_attention_heads": heads, "num_key_value_heads": key_heads,
            "head_dim": head_dim}


def _rope_scaling(entries, tensors):
    if "rope_freqs.weight" in tensors:
        raise Refused("has the tensor rope_freqs.weight, scaled rotary embeddings whose numbers "
                      "cannot be taken back; give the folder of Hugging Face that it was made of")
    if refuse_other(entries, "llama.rope.scaling.type", "none", "linear") == "none":
        return None
    return {"rope_type": "linear", "factor": need(entries, "llama.rope.scaling.factor", float)}


def _short(number):
    """The shortest number that is the same one in 32 bits: 1e-05 for 9.999999747378752e-06."""
    bits = struct.pack("<f", number)
    shorter = (float(f"{number:.{digits}g}") for digits in range(1, 10))
    return next((short for short in shorter if struct.pack("<f", short) == bits), number)


def tensors_of(tensors, config):
    """From each name of Hugging Face to the tensor, and the heads of one whose rows are moved."""
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    found = {}
    for name, stored in tensors.items():
        layer = re.fullmatch(r"blk\.(\d+)\.(\w+)\.weight", name)
        if name not in OTHER_TENSORS and not (layer and layer[2] in LAYER_TENSORS):
            raise Refused(f"has the tensor {name}, which a Llama without biases lacks")
        if not layer:
            found[OTHER_TENSORS[name]] = (stored, None)
            continue
        moved = heads.get(layer[2])
        if moved and stored.shape[0] != moved * config["head_dim"]:
            raise Refused(f"has other rows in {name} than its heads need")
        found[f"model.layers.{layer[1]}.{LAYER_TENSORS[layer[2]]}.weight"] = (stored, moved)
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
