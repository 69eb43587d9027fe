"""What compare.py measures of llama.cpp: one process that loads a model and answers one task.

usage: answers_of_llama_cpp.py MODEL.gguf '[PROMPT, TOKENS, THREADS, SEQUENCES]'
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import xllamacpp

model, (prompt, num_tokens, num_threads, num_seqs) = sys.argv[1], json.loads(sys.argv[2])

params = xllamacpp.CommonParams()
params.model.path = model
params.n_parallel = num_seqs
params.n_ctx = 1024 * num_seqs
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = num_threads
params.warmup = False
params.cache_ram_mib = 0
params.verbosity = 0
server = xllamacpp.Server(params)


def answer(number):
    text = f"{number}. {prompt}" if num_seqs > 1 else prompt
    reply = server.handle_completions({"prompt": text, "max_tokens": num_tokens, "temperature": 0.0,
                                       "ignore_eos": True, "cache_prompt": False})
    reply = reply if isinstance(reply, dict) else json.loads(reply)
    assert reply["usage"]["completion_tokens"] == num_tokens, reply


with ThreadPoolExecutor(num_seqs) as threads:
    list(threads.map(answer, range(num_seqs)))
