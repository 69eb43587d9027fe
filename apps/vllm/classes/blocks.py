"""KVCacheBlock, FreeKVCacheBlockQueue and BlockHashToBlockMap, as vLLM's tests use them."""

from classes.stack import Broken, Needs


class Blocks:
    """From the number of a block in the program to its object here, which is the same each time."""

    def __init__(self, ask):
        self.ask = ask
        self.by_number = {}

    def known(self, first, blocks):
        for number, block in enumerate(blocks, first):
            block.number = number
            self.by_number[number] = block
        return blocks

    def at(self, number):
        return None if number is None else self.all_at([number])[0]

    def all_at(self, numbers):
        if -1 in numbers:
            raise Broken("it gave a block that nobody has made")
        return [self.by_number[number] for number in numbers]

    def numbers_of(self, blocks):
        """Blocks that a test has made are loose blocks in the program from their first use on."""
        new = [block for block in blocks if block.number is None]
        if new:
            self.known(self.ask("new_blocks", [block.block_id for block in new]), new)
        return [block.number for block in blocks]


ID, REF_CNT, IS_NULL, HASH, PREV, NEXT = range(6)  # what the program says of a block


class KVCacheBlock:
    __slots__ = ("block_id", "number", "queue")
    kit = None  # the Kit, in the class that it makes of this one; so in those below

    def __init__(self, block_id, **_):
        self.block_id = block_id
        self.number = None
        self.queue = None  # the last one that it was put into

    def __repr__(self):
        return f"#{self.block_id}"

    def _field(self, field):
        return self.kit.ask("block", self.kit.blocks.numbers_of([self])[0])[field]

    @property
    def ref_cnt(self):
        return self._field(REF_CNT)

    @property
    def is_null(self):
        return self._field(IS_NULL)

    @property
    def block_hash(self):
        number = self._field(HASH)
        return None if number is None else self.kit.names.with_group(number)

    @block_hash.setter
    def block_hash(self, _):
        raise Needs("a hash that no text has: here only cache_full_blocks sets one")

    @property
    def prev_free_block(self):
        return self._neighbor(PREV, "fake_free_list_head")

    @property
    def next_free_block(self):
        return self._neighbor(NEXT, "fake_free_list_tail")

    def _neighbor(self, field, end):
        number = self._field(field)
        return getattr(self.queue, end) if number == -1 else self.kit.blocks.at(number)



class End:
    """One of the two fake nodes of vLLM's queue. Here a sentinel is both, and no test sees it."""

    def __init__(self, queue, field, place):
        self.queue = queue
        self.field = field
        self.place = place

    def __getattr__(self, field):
        if field != self.field:
            raise AttributeError(field)
        free = self.queue.get_all_free_blocks()
        return free[self.place] if free else self.queue.other_end(self)


class QueueView:
    """What can be seen of a queue."""

    def __init__(self):
        self.fake_free_list_head = End(self, "next_free_block", 0)
        self.fake_free_list_tail = End(self, "prev_free_block", -1)

    def other_end(self, end):
        is_head = end is self.fake_free_list_head
        return self.fake_free_list_tail if is_head else self.fake_free_list_head

    @property
    def num_free_blocks(self):
        return len(self.get_all_free_blocks())


class FreeKVCacheBlockQueue(QueueView):
    def __init__(self, given):
        super().__init__()
        numbers = self._added(given)
        if numbers != list(range(numbers[0], numbers[0] + len(numbers)) if numbers else []):
            raise Needs("a queue of blocks that are in another one already")
        self.number = self.kit.ask("new_queue", numbers[0] if numbers else 0, len(numbers))

    def _added(self, given):
        for block in given:
            block.queue = self
        return self.kit.blocks.numbers_of(given)

    @property
    def num_free_blocks(self):
        return self.kit.ask("num_free_blocks", self.number)

    def get_all_free_blocks(self):
        return self.kit.blocks.all_at(self.kit.ask("get_all_free_blocks", self.number))

    def popleft(self):
        block = self.kit.blocks.at(self.kit.ask("popleft", self.number))
        if block is None:
            raise ValueError("No free blocks available")
        return block

    def popleft_n(self, n):
        numbers = self.kit.ask("popleft_n", self.number, n)
        assert numbers is not None, "fewer blocks are free"
        return self.kit.blocks.all_at(numbers)

    def remove(self, block):
        self.kit.ask("remove", self.number, *self.kit.blocks.numbers_of([block]))

    def append(self, block):
        self.kit.ask("append", self.number, *self._added([block]))

    def append_n(self, given):
        self.kit.ask("append_n", self.number, self._added(given))

    def prepend_n(self, given):
        self.kit.ask("prepend_n", self.number, self._added(given))


class BlockHashToBlockMap:
    def __init__(self):
        self.number = self.kit.ask("new_map")
        self.prefixes = {}  # from a key of the test to the id of a prefix

    def _block(self, number):
        return self.kit.blocks.at(number)

    def _prefix(self, key):
        return self.prefixes.setdefault(key, len(self.prefixes) + 1)

    def get_one_block(self, key):
        return self._block(self.kit.ask("map_get_one_block", self.number, self._prefix(key)))

    def insert(self, key, block):
        number, = self.kit.blocks.numbers_of([block])
        self.kit.ask("map_insert", self.number, self._prefix(key), number)

    def pop(self, key, block_id):
        return self._block(self.kit.ask("map_pop", self.number, self._prefix(key), block_id))

    def __len__(self):
        return self.kit.ask("map_size", self.number)

