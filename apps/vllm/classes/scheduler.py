"""Scheduler, as vLLM's tests use it."""

import importlib
from types import SimpleNamespace

from classes.stack import Needs

NOT_HERE = {"kv_transfer_config": "a connector", "ec_transfer_config": "a connector of encoders",
            "lora_config": "limits of adapters"}
STATUSES = ("WAITING", "RUNNING", "PREEMPTED")  # as in kv::RequestStatus
ENDED = {"stop": "FINISHED_STOPPED", "length": "FINISHED_LENGTH_CAPPED"}


class Queue(list):
    """Requests in their order, to be looked at."""

    def append(self, _):
        raise Needs("requests that a test puts into the scheduler by hand")

    add_request = remove = remove_requests = append

    def peek_request(self):
        return self[0]


def config_of(vllm_config, kv_cache_config, block_size):
    """The kit's configuration. Why lowered: it refuses a length that could never be served."""
    scheduler = vllm_config.scheduler_config
    lengths = [vllm_config.model_config.max_model_len,
               (kv_cache_config.num_blocks - 1) * block_size]
    if not scheduler.enable_chunked_prefill:
        lengths.append(scheduler.max_num_batched_tokens)
    return {"max_num_batched_tokens": scheduler.max_num_batched_tokens,
            "max_num_seqs": scheduler.max_num_seqs,
            "max_model_len": min(lengths),
            "long_prefill_token_threshold": scheduler.long_prefill_token_threshold,
            "enable_chunked_prefill": scheduler.enable_chunked_prefill,
            "scheduler_reserve_full_isl": bool(
                getattr(scheduler, "scheduler_reserve_full_isl", False)),
            "watermark": float(getattr(scheduler, "watermark", 0.0)),
            "policy": scheduler.policy}


class Scheduler:
    kit = None

    def __init__(self, vllm_config, kv_cache_config, structured_output_manager, block_size,
                 log_stats=False, **_):
        self.kit.require_none(NOT_HERE, lambda name: getattr(vllm_config, name, None))
        self._require_plain(vllm_config)
        self.vllm_config = vllm_config
        self.scheduler_config = vllm_config.scheduler_config
        self.log_stats = log_stats
        speculative = vllm_config.speculative_config
        self.num_spec_tokens = speculative.num_speculative_tokens if speculative else 0
        config = config_of(vllm_config, kv_cache_config, block_size)
        self.max_model_len = config["max_model_len"]
        self.kv_cache_manager = self.kit.Manager(
            kv_cache_config, max_model_len=config["max_model_len"],
            hash_block_size=block_size, log_stats=log_stats,
            enable_caching=bool(vllm_config.cache_config.enable_prefix_caching))
        self.block_size = block_size
        self.number = self.kit.ask("new_scheduler", self.kv_cache_manager.number, config)
        self.requests = {}
        self.finished_req_ids = set()
        self.encoder_cache_manager = SimpleNamespace(freed=[], cached={})
        self.outputs = importlib.import_module("vllm.v1.core.sched.output")
        self.engine = importlib.import_module("vllm.v1.engine")
        self.in_step = {}  # from the id of an output to what the kit has scheduled in it

    def _require_plain(self, vllm_config):
        if type(self) is not self.kit.Scheduler:
            raise Needs(f"the {type(self).__name__}")
        if vllm_config.parallel_config.pipeline_parallel_size not in (None, 1):
            raise Needs("stages of a pipeline")

    def _queue(self, place):
        return Queue(self.requests[name] for name in self.ask("queues")[place])

    waiting = property(lambda self: self._queue(0))
    running = property(lambda self: self._queue(1))
    skipped_waiting = kv_holding_waiting = property(lambda self: Queue())

    def ask(self, name, *arguments):
        return self.kit.ask(name, self.number, *arguments)

    def add_request(self, request):
        if request.mm_features:
            raise Needs("encoders of images")
        if request.structured_output_request or request.pooling_params:
            raise Needs("structured output, or pooling")
        kit_request = self.kit.requests.of(request, self.block_size)
        self.kit.requests.bring_tokens(request, kit_request)
        params = request.sampling_params
        eos = None if params.ignore_eos else params.eos_token_id
        self.ask("add_request", kit_request.number, {
            "max_tokens": request.max_tokens, "min_tokens": params.min_tokens,
            "eos_token_id": eos, "stop_token_ids": list(params.stop_token_ids or []),
            "priority": request.priority, "arrival_time": request.arrival_time})
        self.requests[request.request_id] = request

    def finish_requests(self, request_ids, finished_status):
        if request_ids is None:
            request_ids = list(self.requests)
        names = [request_ids] if isinstance(request_ids, str) else list(request_ids)
        self.ask("finish_requests", [name for name in names if name in self.requests])
        for name in names:
            if name in self.requests:
                self._forget(name, finished_status)

    def _forget(self, name, status):
        self.requests.pop(name).status = status
        self.finished_req_ids.add(name)

    def schedule(self, *_):
        step = self.ask("schedule")
        self._mirror(self.requests)
        self.finished_req_ids = set()
        output = self._output_of(step)
        self.in_step[id(output)] = output, step["scheduled"]
        return output

    def _mirror(self, names):
        """What the program says of requests, in vLLM's objects."""
        for name in names:
            state = self.ask("request", name)
            if state is not None:
                request = self.requests[name]
                status, request.num_computed_tokens, request.num_preemptions = state[:3]
                request.status = self.kit.status(STATUSES[status])
                request.spec_token_ids = state[3]

    def _output_of(self, step):
        scheduled = {entry[0]: entry for entry in step["scheduled"]}
        new = [name for name, entry in scheduled.items() if entry[1] == "new"]
        others = {name: entry for name, entry in scheduled.items() if entry[1] != "new"}
        common = [step["common"]]
        return self.outputs.SchedulerOutput(
            scheduled_new_reqs=[self._new(name, scheduled[name]) for name in new],
            scheduled_cached_reqs=self._cached(others),
            num_scheduled_tokens={name: entry[3] for name, entry in scheduled.items()},
            total_num_scheduled_tokens=sum(entry[3] for entry in scheduled.values()),
            scheduled_spec_decode_tokens={name: entry[4] for name, entry in scheduled.items()
                                          if entry[4]},
            scheduled_encoder_inputs={}, num_common_prefix_blocks=common,
            finished_req_ids=set(step["finished"]), free_encoder_mm_hashes=[],
            preempted_req_ids=set(step["preempted"]))

    def _new(self, name, entry):
        data = self.outputs.NewRequestData.from_request(
            self.requests[name], self.kv_cache_manager.get_block_ids(name))
        data.num_computed_tokens = entry[2]
        return data

    def _cached(self, entries):
        requests = [self.requests[name] for name in entries]
        return self.outputs.CachedRequestData(
            req_ids=list(entries),
            resumed_req_ids={name for name, entry in entries.items()
                             if entry[1] == "resumed"},
            new_token_ids=[], all_token_ids={},
            new_block_ids=[self.kv_cache_manager.get_block_ids(name) for name in entries],
            num_computed_tokens=[entry[2] for entry in entries.values()],
            num_output_tokens=[request.num_output_tokens for request in requests])

    def update_draft_token_ids(self, draft_token_ids):
        names = [name for name in draft_token_ids.req_ids if name in self.requests]
        for name, drafts in zip(draft_token_ids.req_ids, draft_token_ids.draft_token_ids):
            if name in self.requests:
                self.ask("update_draft_token_ids", name, drafts)
        self._mirror(names)

    def update_from_output(self, scheduler_output, model_runner_output):
        scheduled = self.in_step[id(scheduler_output)][1]
        sampled = [self._sampled(model_runner_output, entry[0]) for entry in scheduled]
        answers = self.ask("update_from_output", scheduled, sampled)
        per_client = {}
        for name, tokens, reason in answers:
            client, output = self._answer(name, tokens, reason)
            per_client.setdefault(client, []).append(output)
        self._mirror(self.requests)
        stats = self._stats(scheduled, sampled)
        made = {client: self.engine.EngineCoreOutputs(outputs=list_of)
                for client, list_of in per_client.items()}
        if stats is not None:
            made.setdefault(0, self.engine.EngineCoreOutputs()).scheduler_stats = stats
        return made

    @staticmethod
    def _sampled(model_runner_output, name):
        index = model_runner_output.req_id_to_index[name]
        tokens = model_runner_output.sampled_token_ids
        return [int(token) for token in tokens[index]] if tokens else []

    def _answer(self, name, tokens, reason):
        request = self.requests[name]
        request.append_output_token_ids(tokens)
        if reason:
            self._forget(name, self.kit.status(ENDED[reason]))
            self._note_stop(request, tokens)
        return request.client_index, self.engine.EngineCoreOutput(
            request_id=name, new_token_ids=tokens,
            finish_reason=request.get_finished_reason() if reason else None,
            stop_reason=request.stop_reason)

    @staticmethod
    def _note_stop(request, tokens):
        if tokens[-1] in (request.sampling_params.stop_token_ids or []):
            request.stop_reason = tokens[-1]

    def _stats(self, scheduled, sampled):
        if not self.log_stats:
            return None
        drafts = None
        for entry, tokens in zip(scheduled, sampled):
            if entry[4] and tokens:
                drafts = self.make_spec_decoding_stats(
                    drafts, num_draft_tokens=len(entry[4]), request_id=entry[0],
                    num_accepted_tokens=len(tokens) - 1, num_invalid_spec_tokens=None)
        stats = importlib.import_module("vllm.v1.metrics.stats")
        return stats.SchedulerStats(
            num_running_reqs=len(self.running), num_waiting_reqs=len(self.waiting),
            kv_cache_usage=self.kv_cache_manager.usage,
            prefix_cache_stats=self.kv_cache_manager.make_prefix_cache_stats(),
            spec_decoding_stats=drafts)

    def reset_prefix_cache(self, reset_running_requests=False, reset_connector=False):
        if reset_running_requests and self.running:
            raise Needs("a reset while requests run")
        return self.kv_cache_manager.reset_prefix_cache()

    def get_num_unfinished_requests(self):
        return len(self.requests)

    def has_finished_requests(self):
        return bool(self.finished_req_ids)

    def has_requests(self):
        return bool(self.requests or self.finished_req_ids)

