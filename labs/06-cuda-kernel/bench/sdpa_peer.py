"""The shapes of `lab06_bandwidth --shapes` in PyTorch: scaled_dot_product_attention on keys and
values that are already gathered from their blocks, which paged attention need not do.

usage: sdpa_peer.py
"""
import statistics

import torch

NUM_KV_HEADS = 8
ROUNDS = 11
TYPES = {"bf16": torch.bfloat16, "float": torch.float32}
SHAPES = ((1, 1024), (1, 16384), (1, 65536), (8, 4096), (32, 4096), (64, 1024), (64, 16384))

flushed = torch.ones(64 << 20, dtype=torch.int32, device="cuda")


def microseconds_of(attend):
    """The median, with keys and values that are not in the cache of the GPU."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    attend(), attend()
    times = []
    for _ in range(ROUNDS):
        flushed.sum()
        begin.record()
        attend()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return statistics.median(times)


def measure(name, head_size, group_size, num_seqs, num_tokens):
    options = {"dtype": TYPES[name], "device": "cuda"}
    shape = (num_seqs, NUM_KV_HEADS, num_tokens, head_size)
    keys, values = torch.randn(shape, **options), torch.randn(shape, **options)
    query = torch.randn(num_seqs, NUM_KV_HEADS * group_size, 1, head_size, **options)

    def attend():
        torch.nn.functional.scaled_dot_product_attention(query, keys, values, enable_gqa=True)

    microseconds = microseconds_of(attend)
    num_bytes = 2 * keys.numel() * keys.element_size()
    print(f"{name:<5} {head_size:5d} {group_size:6d} {num_seqs:5d} {num_tokens:6d} "
          f"{num_bytes / 1e6:7.0f} {num_bytes / microseconds / 1e3:7.0f} GB/s", flush=True)


print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")
for head_size in (64, 128):
    for group_size in (1, 4, 8):
        for num_seqs, num_tokens in SHAPES:
            measure("bf16", head_size, group_size, num_seqs, num_tokens)
            if num_seqs <= 32:
                measure("float", head_size, group_size, num_seqs, num_tokens)
