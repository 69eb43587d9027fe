"""The models of the bench in PyTorch's transformers and in llama.cpp, in F32 and with one thread, as
the engine. See lab07_bench --peers. Packages: torch, transformers, llama-cpp-python, gguf.

usage: serving_peers.py VOCAB HIDDEN INTERMEDIATE LAYERS HEADS KV_HEADS HEAD_DIM
                        REQUESTS PROMPT_TOKENS OUTPUT_TOKENS
"""
import statistics
import sys
import tempfile
import time

ROUNDS = 5


def report(name, serve):
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        serve()
        seconds.append(time.process_time() - start)
    median = statistics.median(seconds)
    rate = num_requests * num_output_tokens / median
    print(f"  {name:<30} {median * 1e3:9.1f} ms {rate:9.0f} tokens a second   (own process)",
          flush=True)


def with_transformers():
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    config = transformers.LlamaConfig(
        vocab_size=vocab, hidden_size=hidden, intermediate_size=intermediate,
        num_hidden_layers=num_layers, num_attention_heads=num_heads,
        num_key_value_heads=num_kv_heads, head_dim=head_dim, tie_word_embeddings=True,
        bos_token_id=None, eos_token_id=None, pad_token_id=0)
    model = transformers.LlamaForCausalLM(config).eval()
    prompts = torch.randint(1, vocab, (num_requests, num_prompt_tokens))

    def answer(some):
        with torch.inference_mode():
            model.generate(some, attention_mask=torch.ones_like(some), do_sample=False,
                           min_new_tokens=num_output_tokens, max_new_tokens=num_output_tokens)

    name = f"transformers {transformers.__version__}"
    report(f"{name}, together", lambda: answer(prompts))
    report(f"{name}, one by one", lambda: [answer(prompt[None]) for prompt in prompts])


def write_gguf(path):
    import gguf
    import numpy

    random = numpy.random.default_rng(42)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(num_layers)
    writer.add_context_length(512)
    writer.add_embedding_length(hidden)
    writer.add_feed_forward_length(intermediate)
    writer.add_head_count(num_heads)
    writer.add_head_count_kv(num_kv_heads)
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(head_dim)
    writer.add_vocab_size(vocab)
    writer.add_tokenizer_model("no_vocab")

    def add(name, *shape):
        numbers = random.random(shape, dtype=numpy.float32) - 0.5
        writer.add_tensor(f"{name}.weight", numbers * (3 / shape[-1]) ** 0.5)

    add("token_embd", vocab, hidden)
    add("output_norm", hidden)
    for i in range(num_layers):
        add(f"blk.{i}.attn_norm", hidden)
        add(f"blk.{i}.attn_q", num_heads * head_dim, hidden)
        add(f"blk.{i}.attn_k", num_kv_heads * head_dim, hidden)
        add(f"blk.{i}.attn_v", num_kv_heads * head_dim, hidden)
        add(f"blk.{i}.attn_output", hidden, num_heads * head_dim)
        add(f"blk.{i}.ffn_norm", hidden)
        add(f"blk.{i}.ffn_gate", intermediate, hidden)
        add(f"blk.{i}.ffn_up", intermediate, hidden)
        add(f"blk.{i}.ffn_down", hidden, intermediate)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class LlamaCpp:
    """A context of llama.cpp, which answers several prompts together."""

    def __init__(self, path):
        import llama_cpp
        import numpy

        self.numpy, self.lib = numpy, llama_cpp
        silent = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(silent, None)
        self.silent = silent  # must not be freed
        model = llama_cpp.llama_model_load_from_file(
            path.encode(), llama_cpp.llama_model_default_params())
        options = llama_cpp.llama_context_default_params()
        options.n_ctx, options.n_batch, options.n_ubatch = 2048, 512, 512
        options.n_seq_max = num_requests
        options.n_threads = options.n_threads_batch = 1
        options.type_k = options.type_v = llama_cpp.GGML_TYPE_F32
        options.kv_unified = True
        self.context = llama_cpp.llama_init_from_model(model, options)
        self.batch = llama_cpp.llama_batch_init(512, 0, 1)

    def answer(self, num_seqs):
        self.lib.llama_memory_clear(self.lib.llama_get_memory(self.context), False)
        rows = [(1 + i, i, seq, i == num_prompt_tokens - 1)
                for seq in range(num_seqs) for i in range(num_prompt_tokens)]
        for step in range(num_output_tokens):
            tokens = self.decode(rows)
            rows = [(token, num_prompt_tokens + step, seq, True)
                    for seq, token in enumerate(tokens)]

    def decode(self, rows):
        self.batch.n_tokens = len(rows)
        for i, (token, position, seq, has_logits) in enumerate(rows):
            self.batch.token[i], self.batch.pos[i] = token, position
            self.batch.n_seq_id[i], self.batch.seq_id[i][0] = 1, seq
            self.batch.logits[i] = has_logits
        if self.lib.llama_decode(self.context, self.batch) != 0:
            raise RuntimeError("llama.cpp cannot decode")
        logits = [self.lib.llama_get_logits_ith(self.context, i)
                  for i, row in enumerate(rows) if row[3]]
        return [int(self.numpy.ctypeslib.as_array(each, (vocab,)).argmax()) for each in logits]


def with_llama_cpp():
    import llama_cpp

    with tempfile.TemporaryDirectory() as folder:
        write_gguf(f"{folder}/model.gguf")
        peer = LlamaCpp(f"{folder}/model.gguf")
    name = f"llama.cpp ({llama_cpp.__version__})"
    report(f"{name}, together", lambda: peer.answer(num_requests))
    report(f"{name}, one by one", lambda: [peer.answer(1) for _ in range(num_requests)])


(vocab, hidden, intermediate, num_layers, num_heads, num_kv_heads, head_dim,
 num_requests, num_prompt_tokens, num_output_tokens) = map(int, sys.argv[1:])
for measure in (with_transformers, with_llama_cpp):
    try:
        measure()
    except ImportError as error:
        print(f"  {error.name}: not installed")
