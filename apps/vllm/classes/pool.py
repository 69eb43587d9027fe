"""BlockPool, as vLLM's tests use it."""

from classes.blocks import QueueView
from classes.stack import Needs


class FreeBlocks(QueueView):
    """The free queue of a pool."""

    def __init__(self, pool):
        super().__init__()
        self.pool = pool

    def get_all_free_blocks(self):
        return self.pool.all_at("pool_free_blocks")


class CachedBlocks:
    """vLLM's dictionary from hashes to blocks. Here a pool shows the hash of each block."""

    def __init__(self, pool):
        self.pool = pool

    def __len__(self):
        return len({block.block_hash for block in self.pool.blocks} - {None})

    def get_one_block(self, key):
        found = self.pool.get_cached_block(self.pool.kit.utils.get_block_hash(key), [0])
        return found and found[0]

    def insert(self, key, block):
        raise Needs("a cached block that has no text: here cache_full_blocks is the only way in")


class BlockPool:
    kit = None

    def __init__(self, num_gpu_blocks, enable_caching, hash_block_size,
                 enable_kv_cache_events=False, **_):
        blocks_without_hash_first = self.kit.release.rules == "vllm_0_33"
        made = self.kit.ask("new_pool", num_gpu_blocks, hash_block_size, enable_caching,
                            enable_kv_cache_events, blocks_without_hash_first)
        self._begin(num_gpu_blocks, hash_block_size, *made)

    @classmethod
    def of_manager(cls, *begin):
        pool = cls.__new__(cls)
        pool._begin(*begin)
        return pool

    def _begin(self, num_gpu_blocks, block_size, number, first_block):
        self.number = number
        self.num_gpu_blocks = num_gpu_blocks
        self.hash_block_size = block_size
        self.blocks = self.kit.blocks.known(
            first_block, [self.kit.Block(block_id) for block_id in range(num_gpu_blocks)])
        self.null_block = self.blocks[0]
        self.free_block_queue = FreeBlocks(self)
        for block in self.blocks:
            block.queue = self.free_block_queue
        self.cached_block_hash_to_block = CachedBlocks(self)
        self.kv_event_queue = []  # those that a test adds

    def ask(self, name, *arguments):
        return self.kit.ask(name, self.number, *arguments)

    def all_at(self, name, *arguments):
        numbers = self.ask(name, *arguments)
        return None if numbers is None else self.kit.blocks.all_at(numbers)

    def get_num_free_blocks(self):
        return self.ask("get_num_free_blocks")

    def get_usage(self):
        return self.ask("get_usage")

    def get_new_blocks(self, num_blocks):
        blocks = self.all_at("get_new_blocks", num_blocks)
        if blocks is None:
            raise ValueError(f"Cannot get {num_blocks} free blocks from the pool")
        return blocks

    def touch(self, blocks):
        self.ask("touch", self.kit.blocks.numbers_of(blocks))

    def free_blocks(self, ordered_blocks):
        self.ask("free_blocks", self.kit.blocks.numbers_of(list(ordered_blocks)))

    def cache_full_blocks(self, request, blocks, num_cached_blocks, num_full_blocks,
                          block_size, kv_cache_group_id, block_mask=None):
        if kv_cache_group_id != 0 or block_mask is not None:
            raise Needs("several groups of layers")
        kit_request = self.kit.requests.of(request, block_size)
        # A test puts a list in the place of blocks that are not looked at.
        table = [block if isinstance(block, self.kit.Block) else self.null_block
                 for block in blocks]
        self.ask("cache_full_blocks", kit_request.number, self.kit.blocks.numbers_of(table),
                 num_cached_blocks, num_full_blocks)

    def get_cached_block(self, block_hash, kv_cache_group_ids):
        if list(kv_cache_group_ids) != [0]:
            raise Needs("several groups of layers")
        number = self.ask("get_cached_block", self.kit.names.number_of(block_hash))
        return None if number is None else [self.kit.blocks.at(number)]

    def _maybe_evict_cached_block(self, block):
        return self.ask("maybe_evict_cached_block", *self.kit.blocks.numbers_of([block]))

    def evict_blocks(self, block_ids):
        self.ask("evict_blocks", sorted(block_ids))

    def reset_prefix_cache(self):
        return self.ask("reset_prefix_cache")

    def take_events(self):
        events = [self.kit.event(*event) for event in self.ask("take_events")]
        events += self.kv_event_queue
        self.kv_event_queue = []
        return events

