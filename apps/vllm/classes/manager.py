"""KVCacheManager, as vLLM's tests and its scheduler use it."""

from types import SimpleNamespace

from classes.stack import Needs

NOT_HERE = {"use_eagle": "drafters with a cache",
            "num_hash_lookahead_tokens": "hashes over later tokens",
            "watermark": "a watermark of the manager: here the scheduler has it"}


class Tables:
    """vLLM's dictionary from the id of a request to its blocks."""

    def __init__(self, manager):
        self.manager = manager

    def __getitem__(self, request_id):
        return self.manager.table(request_id)

    def __contains__(self, request_id):
        return bool(self[request_id])

    def __len__(self):
        return sum(request_id in self for request_id in self.manager.seen)


class KVCacheManager:
    kit = None
    module = None  # vllm.v1.core.kv_cache_manager; methods that decide nothing are of its class

    def __init__(self, kv_cache_config, max_model_len, hash_block_size, *,
                 enable_caching=True, log_stats=False, enable_kv_cache_events=False,
                 **rest):
        groups = kv_cache_config.kv_cache_groups
        self.kit.require_one_group(groups)
        self.kit.require_none(NOT_HERE, rest.get)
        self.block_size = groups[0].kv_cache_spec.block_size
        self.kv_cache_config = kv_cache_config
        self.max_model_len = max_model_len
        self.enable_caching = enable_caching
        self.enable_kv_cache_events = enable_kv_cache_events
        self.log_stats = log_stats
        self.prefix_cache_stats = self.module.PrefixCacheStats() if log_stats else None
        self.num_kv_cache_groups = 1
        self.empty_kv_cache_blocks = self.module.KVCacheBlocks(((),))
        self.kv_cache_event_metadata = self.kit.event_metadata(groups)
        self.seen = {}  # ids of the requests that were given blocks
        self.number, *pool = self.kit.ask(
            "new_manager", kv_cache_config.num_blocks, self.block_size, max_model_len,
            enable_caching, self.kit.release.rules, enable_kv_cache_events)
        self.block_pool = self.kit.Pool.of_manager(kv_cache_config.num_blocks, self.block_size,
                                                   *pool)
        self.coordinator = self._parts(groups[0].kv_cache_spec)

    def _parts(self, kv_cache_spec):
        """What tests look at inside of vLLM's manager."""
        tables = SimpleNamespace(req_to_blocks=Tables(self), block_size=self.block_size,
                                 num_cached_block={}, kv_cache_spec=kv_cache_spec)
        return SimpleNamespace(single_type_managers=[tables], block_pool=self.block_pool)

    @property
    def usage(self):
        return self.block_pool.get_usage()

    def _number_of(self, request):
        """The number of the program's request, which has the tokens and the state of this one."""
        kit_request = self.kit.requests.of(request, self.block_size)
        self.kit.requests.bring_tokens(request, kit_request)
        self.kit.ask("set_computed", kit_request.number, request.num_computed_tokens,
                     bool(request.skip_reading_prefix_cache))
        return kit_request.number

    def get_computed_blocks(self, request, max_cache_hit_length=None):
        if max_cache_hit_length not in (None, request.num_tokens - 1):
            raise Needs("a hit of a given length")
        numbers, num_tokens = self.kit.ask("get_computed_blocks", self.number,
                                           self._number_of(request))
        if self.kit.release.records_at_lookup:
            self.record_prefix_cache_stats(request, num_tokens)
        blocks = self.create_kv_cache_blocks((self.kit.blocks.all_at(numbers),))
        return blocks, num_tokens, *self.kit.release.more_of_a_lookup

    def record_prefix_cache_stats(self, request, num_hits):
        if self.log_stats and self.enable_caching and not request.skip_reading_prefix_cache:
            self.prefix_cache_stats.record(num_tokens=request.num_tokens, num_hits=num_hits,
                                           preempted=request.num_preemptions > 0)

    def allocate_slots(self, request, num_new_tokens, num_new_computed_tokens=0,
                       new_computed_blocks=None, num_lookahead_tokens=0,
                       full_sequence_must_fit=False, has_scheduled_reqs=True, **rest):
        self.kit.require_defaults(rest)
        hits = new_computed_blocks.blocks[0] if new_computed_blocks else ()
        numbers = self.kit.ask(
            "allocate_slots", self.number, self._number_of(request), num_new_tokens,
            self.kit.blocks.numbers_of(hits), num_lookahead_tokens, full_sequence_must_fit)
        if numbers is None:
            return None
        self.seen[request.request_id] = request
        return self.create_kv_cache_blocks((self.kit.blocks.all_at(numbers),))

    def free(self, request):
        self.kit.ask("free", self.number, self.kit.requests.of(request, self.block_size).number)

    def table(self, request_id):
        return self.kit.blocks.all_at(self.kit.ask("get_blocks", self.number, request_id))

    def get_blocks(self, request_id):
        return self.create_kv_cache_blocks((self.table(request_id),))

    def get_num_common_prefix_blocks(self, running_request_id):
        return [self.kit.ask("get_num_common_prefix_blocks", self.number, running_request_id)]

    def evict_blocks(self, block_ids):
        self.block_pool.evict_blocks(block_ids)

    def reset_prefix_cache(self):
        is_reset = self.block_pool.reset_prefix_cache()
        if is_reset and self.log_stats:
            self.prefix_cache_stats.reset = True
        return is_reset

    def estimate_cached_tokens(self, request):
        cached = [block for block in self.table(request.request_id) if block.block_hash]
        return len(cached) * self.block_size

    # What other layers than full attention need, and connectors.
    def new_step_starts(self):
        pass

    def remove_skipped_blocks(self, *_):
        pass

    def take_new_block_ids(self):
        return []

    def take_kv_cache_block_copies(self):
        return [], []

    def take_boundary_state_offloads(self):
        return {}

