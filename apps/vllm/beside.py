"""vLLM's own Scheduler, over a KV cache manager, with random requests: its decisions, in lines."""

import importlib
import random
import sys
import traceback
from typing import NamedTuple

from runner import stand_ins
from runner.child import read_lines, start

NUM_STEPS = 60  # in each trace


class Decisions(NamedTuple):
    lines: list  # a trace's settings, then a line for each call
    num_steps: int = 0
    num_preemptions: int = 0
    num_hits: int = 0  # tokens that admitted requests found in the cache
    num_calls: int = 0  # that the student's code got
    complaint: str = ""  # what ended the run before its end


def decisions(files, options, replaced=None, num_calls=int):
    """Two runs get the same random numbers, so they differ only if their managers do."""
    child = start(lambda say: _run(files, options, replaced, num_calls, say), leads=True)
    lines, end = [], {"complaint": "the run ended without a result"}
    try:
        for message in read_lines(child):
            if "line" in message:
                lines.append(message["line"])
            else:
                end = message
    finally:
        child.kill()
        child.end()
    return Decisions(lines, **end)


def _run(files, options, replaced, num_calls, say):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(files.wheels))
    stand_ins.install(files.tree, replaced)
    totals = {"num_steps": 0, "num_preemptions": 0, "num_hits": 0}
    complaint = ""
    try:
        for number in range(options.traces):
            Trace(random.Random(f"{options.seed} {number}"), say, totals).run(number)
    except Exception as problem:  # raised by the student's code, or by vLLM's after it
        complaint = _sentence_of(problem)
    say({**totals, "num_calls": num_calls(), "complaint": complaint})


def _sentence_of(problem):
    """An assertion of vLLM's says nothing but its line."""
    where = traceback.extract_tb(problem.__traceback__)[-1]
    told = str(problem) or f"{where.line}, in {where.name} of {where.filename.rpartition('/')[2]}"
    return f"{type(problem).__name__}: {told}"


class Trace:
    def __init__(self, numbers, say, totals):
        self.numbers = numbers
        self.say = lambda line: say({"line": line})
        self.totals = totals
        self.utils = importlib.import_module("tests.v1.core.utils")
        self.settings = self._settings()
        self.scheduler = self._scheduler(**self.settings)
        utils = importlib.import_module("vllm.v1.core.kv_cache_utils")
        hash_function = importlib.import_module("vllm.utils.hashing").sha256
        utils.init_none_hash(hash_function)
        self.hasher = utils.get_request_block_hasher(self.settings["block_size"], hash_function)
        self.beginnings = [self._tokens(numbers.randrange(1, 20)) for _ in range(3)]
        self.num_requests = 0

    def _settings(self):
        pick = self.numbers.choice
        block_size, num_blocks = pick([1, 2, 4, 16]), self.numbers.randrange(8, 26)
        return {"block_size": block_size, "num_blocks": num_blocks,
                "max_model_len": (num_blocks - 1) * block_size,
                "max_num_seqs": self.numbers.randrange(1, 9),
                "max_num_batched_tokens": self.numbers.randrange(8, 65),
                "long_prefill_token_threshold": pick([0, 0, 0, 5]),
                "enable_prefix_caching": self.numbers.random() < 0.8,
                "policy": pick(["fcfs", "priority"])}

    def _scheduler(self, policy, **settings):
        scheduler = self.utils.create_scheduler(**settings)
        scheduler.aux_output_connector = None  # made on demand, and so not None: see on_demand.py
        queues = importlib.import_module("vllm.v1.core.sched.request_queue")
        scheduler.policy = queues.SchedulingPolicy(policy)
        for name in ("waiting", "skipped_waiting", "kv_holding_waiting"):
            if hasattr(scheduler, name):
                setattr(scheduler, name, queues.create_request_queue(scheduler.policy))
        return scheduler

    def _tokens(self, number):
        return [self.numbers.randrange(3) for _ in range(number)]

    def run(self, number):
        told = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        self.say(f"trace {number}: {told}")
        for _ in range(NUM_STEPS):
            for _ in range(self.numbers.choice([0, 0, 1, 2])):
                self._add_request()
            if self.scheduler.requests and self.numbers.random() < 0.05:
                self._abort(self.numbers.choice(sorted(self.scheduler.requests)))
            self._step()
        for name in sorted(self.scheduler.requests):
            self._abort(name)

    def _add_request(self):
        numbers, name = self.numbers, f"r{self.num_requests}"
        tokens = numbers.choice(self.beginnings) + self._tokens(numbers.randrange(1, 20))
        tokens = tokens[:self.settings["max_model_len"] - 1]
        request = self.utils.Request(
            name, tokens, self._params(max_tokens=numbers.randrange(1, 24)), None,
            arrival_time=float(self.num_requests), priority=numbers.randrange(3),
            block_hasher=self.hasher)
        self.num_requests += 1
        self.scheduler.add_request(request)
        self.say(f"add {name}: tokens {tokens}, priority {request.priority}")

    def _params(self, **settings):
        params = self.utils.SamplingParams(ignore_eos=True, **settings)
        params.update_from_generation_config({}, self.utils.EOS_TOKEN_ID)
        return params

    def _abort(self, name):
        status = importlib.import_module("vllm.v1.request").RequestStatus
        self.scheduler.finish_requests(name, status.FINISHED_ABORTED)
        self.say(f"abort {name}, {self._state()}")

    def _step(self):
        step = self.scheduler.schedule()
        self._count(step)
        new = {data.req_id: data.block_ids[0] for data in step.scheduled_new_reqs}
        cached = step.scheduled_cached_reqs
        blocks = {**new, **{name: ids[0] if ids else []
                            for name, ids in zip(cached.req_ids, cached.new_block_ids)}}
        told = ", ".join(f"{name} +{num_tokens} {blocks[name]}"
                         for name, num_tokens in step.num_scheduled_tokens.items())
        self.say(f"schedule {told or 'nothing'}, {self._state()}")
        if step.num_scheduled_tokens:
            self._output(step)

    def _count(self, step):
        admitted = [data.num_computed_tokens for data in step.scheduled_new_reqs]
        cached = step.scheduled_cached_reqs
        admitted += [number for name, number in zip(cached.req_ids, cached.num_computed_tokens)
                     if name in cached.resumed_req_ids]
        self.totals["num_steps"] += 1
        self.totals["num_preemptions"] += len(step.preempted_req_ids or ())
        self.totals["num_hits"] += sum(admitted)

    def _output(self, step):
        outputs = importlib.import_module("vllm.v1.outputs")
        names = list(step.num_scheduled_tokens)
        requests = [self.scheduler.requests[name] for name in names]
        sampled = [[self.numbers.randrange(3)]
                   if request.num_computed_tokens >= request.num_tokens else []
                   for request in requests]
        self.scheduler.update_from_output(step, outputs.ModelRunnerOutput(
            req_ids=names, req_id_to_index={name: i for i, name in enumerate(names)},
            sampled_token_ids=sampled, logprobs=None, prompt_logprobs_dict={}, pooler_output=[]))
        tokens = ", ".join(f"{name} {token[0]}" for name, token in zip(names, sampled) if token)
        self.say(f"output {tokens or 'nothing'}, {self._state()}")

    def _state(self):
        free = self.scheduler.kv_cache_manager.block_pool.free_block_queue.get_all_free_blocks()
        waiting, running = ([request.request_id for request in queue]
                            for queue in (self.scheduler.waiting, self.scheduler.running))
        return f"waiting {waiting}, running {running}, free {[block.block_id for block in free]}"
