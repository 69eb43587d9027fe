"""One row of the bench in numpy and PyTorch: gather the blocks, attend. See lab05_bench --peers.

usage: attention_peers.py BATCH LENGTH
"""
import statistics
import sys
import time

NUM_HEADS, NUM_KV_HEADS, HEAD_DIM, BLOCK_SIZE, SCALE = 32, 8, 128, 16, 0.088
ROUNDS = 5


def report(name, attend):
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        attend()
        seconds.append(time.perf_counter() - start)
    num_bytes = batch * length * NUM_KV_HEADS * HEAD_DIM * 2 * 4
    median = statistics.median(seconds)
    rate = num_bytes / median / 1e9
    print(f"  {name:<30} {median * 1e3:9.2f} ms {rate:8.1f} GB/s   (own process)")


def with_numpy(numpy):
    random = numpy.random.default_rng(42)
    shape = (batch * length // BLOCK_SIZE, BLOCK_SIZE, NUM_KV_HEADS, HEAD_DIM)
    keys, values = (random.random(shape, dtype=numpy.float32) for _ in range(2))
    tables = random.permutation(shape[0]).reshape(batch, -1)
    query = random.random((NUM_KV_HEADS, NUM_HEADS // NUM_KV_HEADS, HEAD_DIM), dtype=numpy.float32)

    def attend():
        for table in tables:
            k = keys[table].reshape(length, NUM_KV_HEADS, HEAD_DIM).transpose(1, 2, 0)
            v = values[table].reshape(length, NUM_KV_HEADS, HEAD_DIM).transpose(1, 0, 2)
            scores = SCALE * (query @ k)
            weights = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
            (weights / weights.sum(axis=-1, keepdims=True)) @ v

    report(f"numpy {numpy.__version__}", attend)


def with_torch(torch):
    torch.manual_seed(42)
    shape = (batch * length // BLOCK_SIZE, BLOCK_SIZE, NUM_KV_HEADS, HEAD_DIM)
    keys, values = torch.rand(shape), torch.rand(shape)
    tables = torch.randperm(shape[0]).reshape(batch, -1)
    query = torch.rand(NUM_KV_HEADS, NUM_HEADS // NUM_KV_HEADS, HEAD_DIM)

    def attend():
        for table in tables:
            k = keys.index_select(0, table).reshape(length, NUM_KV_HEADS, HEAD_DIM)
            v = values.index_select(0, table).reshape(length, NUM_KV_HEADS, HEAD_DIM)
            scores = SCALE * torch.bmm(query, k.permute(1, 2, 0))
            torch.softmax(scores, dim=-1) @ v.transpose(0, 1)

    report(f"PyTorch {torch.__version__}", attend)


batch, length = int(sys.argv[1]), int(sys.argv[2])
for package, measure in (("numpy", with_numpy), ("torch", with_torch)):
    try:
        module = __import__(package)
    except ImportError:
        print(f"  {package}: not installed")
        continue
    measure(module)
