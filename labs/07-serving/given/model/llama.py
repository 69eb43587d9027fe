"""The Llama of this folder in JAX, with the sizes of config.json.

The matrices of all layers are one array, with the layer as its first index.
"""

import json
from pathlib import Path

import jax
import jax.numpy as jnp

CONFIG = json.loads(Path(__file__).with_name("config.json").read_text())
HEAD_DIM = CONFIG["head_dim"]
DROPOUT = 0.1  # The text is read 31 times: without dropout it is learned by heart.


def new_weights(random):
    def normal(deviation, *shape):
        return jnp.asarray(random.normal(0, deviation, shape), jnp.float32)

    width, layers, mlp = (
        CONFIG[k] for k in ("hidden_size", "num_hidden_layers", "intermediate_size")
    )
    query, kv = (HEAD_DIM * CONFIG[f"num_{k}_heads"] for k in ("attention", "key_value"))
    return {
        "embed_tokens": normal(0.02, CONFIG["vocab_size"], width),
        "norm": jnp.ones(width),
        "layers": {
            "input_layernorm": jnp.ones((layers, width)),
            "self_attn.q_proj": normal(width**-0.5, layers, width, query),
            "self_attn.k_proj": normal(width**-0.5, layers, width, kv),
            "self_attn.v_proj": normal(width**-0.5, layers, width, kv),
            "self_attn.o_proj": normal(0.02, layers, query, width),
            "post_attention_layernorm": jnp.ones((layers, width)),
            "mlp.gate_proj": normal(width**-0.5, layers, width, mlp),
            "mlp.up_proj": normal(width**-0.5, layers, width, mlp),
            "mlp.down_proj": normal(0.02, layers, mlp, width),
        },
    }


def normalize(hidden, scale):
    mean_square = jnp.mean(hidden * hidden, -1, keepdims=True)
    return hidden * jax.lax.rsqrt(mean_square + CONFIG["rms_norm_eps"]) * scale


def rotate(heads):
    """The rotary embedding of Hugging Face's Llama: it pairs the two halves of a head."""
    frequency = CONFIG["rope_theta"] ** (-jnp.arange(0, HEAD_DIM, 2) / HEAD_DIM)
    angle = jnp.arange(heads.shape[1])[:, None, None] * frequency
    first, second = jnp.split(heads, 2, -1)
    cosine, sine = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([first * cosine - second * sine, second * cosine + first * sine], -1)


def attend(hidden, layer):
    """128 queries at a time, so that few products with later keys are computed in vain."""
    batch, length, _ = hidden.shape

    def heads(name):
        return (hidden @ layer[f"self_attn.{name}_proj"]).reshape(batch, length, -1, HEAD_DIM)

    query, key, value = rotate(heads("q")) * HEAD_DIM**-0.5, rotate(heads("k")), heads("v")
    query = query.reshape(batch, length, key.shape[2], -1, HEAD_DIM)
    visible = jnp.tril(jnp.ones((length, length), bool))
    mixed = []
    for start in range(0, length, 128):
        end = start + 128
        scores = jnp.einsum("bqhgd,bkhd->bhgqk", query[:, start:end], key[:, :end])
        shares = jax.nn.softmax(jnp.where(visible[start:end, :end], scores, -1e9))
        mixed.append(jnp.einsum("bhgqk,bkhd->bqhgd", shares, value[:, :end]))
    return jnp.concatenate(mixed, 1).reshape(batch, length, -1) @ layer["self_attn.o_proj"]


def drop_some(hidden, key):
    """Dropout. There is no key when the model is only used, and then nothing is dropped."""
    if key is None:
        return hidden
    kept = jax.random.bernoulli(key, 1 - DROPOUT, hidden.shape)
    return jnp.where(kept, hidden / (1 - DROPOUT), 0)


def apply_layer(hidden, layer_and_keys):
    layer, keys = layer_and_keys
    attention_key, mlp_key = (None, None) if keys is None else keys
    mixed = attend(normalize(hidden, layer["input_layernorm"]), layer)
    hidden += drop_some(mixed, attention_key)
    inner = normalize(hidden, layer["post_attention_layernorm"])
    gate = jax.nn.silu(inner @ layer["mlp.gate_proj"])
    output = gate * (inner @ layer["mlp.up_proj"]) @ layer["mlp.down_proj"]
    return hidden + drop_some(output, mlp_key), None


@jax.jit
def mean_loss(weights, windows, key=None):
    layers = CONFIG["num_hidden_layers"]
    keys = None if key is None else jax.random.split(key, (layers, 2))
    hidden = weights["embed_tokens"][windows[:, :-1]]
    hidden, _ = jax.lax.scan(apply_layer, hidden, (weights["layers"], keys))
    logits = normalize(hidden, weights["norm"]) @ weights["embed_tokens"].T
    expected = jnp.take_along_axis(logits, windows[:, 1:, None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - expected)
