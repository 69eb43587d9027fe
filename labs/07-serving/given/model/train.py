"""Trains the small Llama of this folder on the six novels of Jane Austen.

It needs Python 3.10 or newer with three packages from PyPI, best in a virtual environment:

    pip install 'jax[cpu]' tokenizers safetensors      (or 'jax[cuda13]', for a GPU)

and the novels, which are in Debian's package r-cran-janeaustenr:

    apt-get download r-cran-janeaustenr && dpkg-deb -x r-cran-janeaustenr*.deb novels
    python train.py novels/usr/lib/R/site-library/janeaustenr/data/Rdata.rdb new-model

The sizes of the model are read from config.json beside this file. The script writes config.json,
tokenizer.json, model.safetensors and training_log.csv into new-model, and checkpoint.npz, from
which a run that was stopped goes on. The schedule counts steps, so a busy machine trains the same
model as an idle one, only later.
"""

import argparse
import json
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from llama import CONFIG, mean_loss, new_weights
from novels import read_chapters

CONTEXT = CONFIG["max_position_embeddings"]

BATCH = 8  # windows of CONTEXT tokens in a step
WARM_UP_STEPS, DECAY = 100, 0.4  # The last 40 % of the steps lower the learning rate to zero.
MATRIX_RATE, VECTOR_RATE, WEIGHT_DECAY = 0.02, 0.003, 0.1
STEPS_PER_CHECKPOINT, STEPS_PER_LOG_LINE = 100, 100

# The text


def train_tokenizer(passages):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=CONFIG["vocab_size"],
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(passages, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<|endoftext|> $A",
        pair="<|endoftext|> $A <|endoftext|>:1 $B:1",
        special_tokens=[("<|endoftext|>", CONFIG["bos_token_id"])],
    )
    return tokenizer


class Text:
    """The token ids to train on, and those of every 25th chapter, which training never sees."""

    def __init__(self, path):
        chapters = read_chapters(path)
        held_out = sum(chapters[12::25], [])
        del chapters[12::25]
        trained = sum(chapters, [])
        self.tokenizer = train_tokenizer(trained)
        self.trained, self.held_out = self.encode(trained), self.encode(held_out)
        self.bytes_per_token = sum(len(one.encode()) for one in held_out) / len(self.held_out)

    def encode(self, passages):
        """The end of a text is also the beginning of the next one, and of each prompt."""
        ids = [one.ids for one in self.tokenizer.encode_batch(passages)]
        return np.concatenate(ids).astype(np.int32)

    def batch(self, step):
        """Each pass over the text has the windows in another order, cut at another place."""
        windows = len(self.trained) // CONTEXT - 1
        epoch, position = divmod(step, windows // BATCH)
        random = np.random.default_rng(epoch)
        ids = self.trained[random.integers(CONTEXT) :]
        return windows_of(ids, random.permutation(windows)[position * BATCH :][:BATCH])

    def held_out_batches(self):
        windows = np.arange((len(self.held_out) - 1) // CONTEXT)
        for first in range(0, len(windows) - BATCH + 1, BATCH):
            yield windows_of(self.held_out, windows[first : first + BATCH])


def windows_of(ids, numbers):
    """Each has one token more than the context: the last one is only predicted."""
    return np.stack([ids[i * CONTEXT : (i + 1) * CONTEXT + 1] for i in numbers])


# The optimizer: Muon for the matrices of the layers, Adam for the embedding and the norms.


def orthogonal(matrices):
    """Moves all singular values of each matrix close to 1, by five Newton-Schulz steps."""
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = matrices.mT if tall else matrices
    x = x / (jnp.linalg.norm(x, axis=(-2, -1), keepdims=True) + 1e-7)
    for _ in range(5):
        square = x @ x.mT
        x = 3.4445 * x + (-4.775 * square + 2.0315 * square @ square) @ x
    return x.mT if tall else x


def muon(weight, gradient, state, rate, step):
    momentum = 0.95 * state[0] + gradient
    update = orthogonal(gradient + 0.95 * momentum)
    update *= max(1.0, weight.shape[-1] / weight.shape[-2]) ** 0.5
    rate *= MATRIX_RATE
    return weight * (1 - rate * WEIGHT_DECAY) - rate * update, (momentum, state[1])


def adam(weight, gradient, state, rate, step):
    mean = 0.9 * state[0] + 0.1 * gradient
    square = 0.97 * state[1] + 0.03 * gradient**2
    update = mean / (1 - 0.9**step) / (jnp.sqrt(square / (1 - 0.97**step)) + 1e-9)
    return weight - rate * VECTOR_RATE * update, (mean, square)


def learning_rate(step, steps):
    return min(1, (step + 1) / WARM_UP_STEPS, (steps - step) / (DECAY * steps))


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(weights, states, windows, rate, step):
    key = jax.random.key(step.astype(int))
    loss, gradients = jax.value_and_grad(mean_loss)(weights, windows, key)
    leaves, tree = jax.tree.flatten(weights)
    updated = [
        (muon if weight.ndim == 3 else adam)(weight, gradient, state, rate, step)
        for weight, gradient, state in zip(leaves, jax.tree.leaves(gradients), states)
    ]
    return jax.tree.unflatten(tree, [one[0] for one in updated]), [one[1] for one in updated], loss


# The run


def save_model(weights, path):
    """Hugging Face's names; a matrix of theirs has a row for each output."""
    tensors = {f"model.{name}.weight": weights[name] for name in ("embed_tokens", "norm")}
    for name, layers in weights["layers"].items():
        for i, layer in enumerate(layers):
            tensors[f"model.layers.{i}.{name}.weight"] = layer.T
    halves = {name: np.ascontiguousarray(one, np.float16) for name, one in tensors.items()}
    save_file(halves, path, metadata={"format": "pt"})


def bits_per_byte(weights, text):
    nats = np.mean([mean_loss(weights, windows) for windows in text.held_out_batches()])
    return nats / np.log(2) / text.bytes_per_token


class Run:
    """What a checkpoint has: the weights, the optimizer's states, each step's loss, the time."""

    def __init__(self, checkpoint):
        self.checkpoint, self.losses, self.seconds = checkpoint, [], 0.0
        self.weights = new_weights(np.random.default_rng(1))
        self.states = [tuple(map(jnp.zeros_like, (w, w))) for w in jax.tree.leaves(self.weights)]
        if checkpoint.exists():
            self.load()

    def load(self):
        saved = np.load(self.checkpoint)
        leaves, tree = jax.tree.flatten((self.weights, self.states))
        arrays = [jnp.asarray(saved[f"arr_{i}"]) for i in range(len(leaves))]
        self.weights, self.states = jax.tree.unflatten(tree, arrays)
        self.losses, self.seconds = list(saved["losses"]), float(saved["seconds"])

    def save(self):
        """A run that is stopped while it writes leaves the checkpoint before this one."""
        unfinished = self.checkpoint.with_name("unfinished.npz")
        leaves = jax.tree.leaves((self.weights, self.states))
        np.savez(unfinished, *leaves, losses=self.losses, seconds=self.seconds)
        unfinished.replace(self.checkpoint)

    def step(self, text, steps):
        started, done = time.monotonic(), len(self.losses)
        rate, windows = learning_rate(done, steps), text.batch(done)
        self.weights, self.states, loss = train_step(
            self.weights, self.states, windows, rate, jnp.float32(done + 1)
        )
        self.losses.append(float(loss))
        self.seconds += time.monotonic() - started


def train(text, steps, folder):
    run, log = Run(folder / "checkpoint.npz"), folder / "training_log.csv"
    if not run.losses:
        log.write_text("seconds,steps,train_loss,held_out_bits_per_byte\n")
    while len(run.losses) < steps:
        run.step(text, steps)
        done, loss = len(run.losses), np.mean(run.losses[-STEPS_PER_LOG_LINE:])
        if done % STEPS_PER_LOG_LINE == 0 or done == steps:
            bits = bits_per_byte(run.weights, text)
            with log.open("a") as file:
                print(f"{run.seconds:.0f},{done},{loss:.4f},{bits:.4f}", file=file)
            save_model(run.weights, folder / "model.safetensors")
        if done % STEPS_PER_CHECKPOINT == 0 or done == steps:
            run.save()
            print(f"{done} of {steps} steps, {run.seconds:.0f} s, loss {loss:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Trains a small Llama on Jane Austen's novels.")
    parser.add_argument("novels", help="Rdata.rdb of r-cran-janeaustenr")
    parser.add_argument("folder", type=Path, help="where the model and the checkpoint are written")
    parser.add_argument("--steps", type=int, default=8000)
    options = parser.parse_args()

    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    text = Text(options.novels)
    text.tokenizer.save(str(options.folder / "tokenizer.json"), pretty=False)
    train(text, options.steps, options.folder)


if __name__ == "__main__":
    main()
