"""The kit's classes in the place of vLLM's."""

import importlib
from dataclasses import dataclass

from classes.blocks import (BlockHashToBlockMap, Blocks, FreeKVCacheBlockQueue,
                            KVCacheBlock)
from classes.events import Events
from classes.hashes import Names, Requests
from classes.manager import KVCacheManager
from classes.pool import BlockPool
from classes.scheduler import Scheduler
from classes.stack import Needs


@dataclass
class Release:
    """What a caller sees differently from release to release."""
    rules: str  # the kit's word for its decisions
    records_at_lookup: bool  # or when a request is admitted
    more_of_a_lookup: tuple  # after the blocks and their tokens
    has_paths_of_adapters: bool  # a path is a part of the extra keys
    key_forms: dict  # from a kind of extra key to the form that it has in vLLM


RELEASES = {
    "0.22.1": Release("vllm_0_22", True, (), False, {
        "lora": lambda name, path: name,
        "image": lambda image, offset: (image, offset),
        "salt": lambda salt: salt}),
    "0.33.0": Release("vllm_0_33", False, (0,), True, {
        "lora": lambda name, path: ("lora", name, path),
        "image": lambda image, offset: ("mm", image, offset),
        "salt": lambda salt: ("cache_salt", salt)}),
}


def _methods(cls, names):
    """Those that decide nothing."""
    return {name: getattr(cls, name) for name in names}


class Kit:
    def __init__(self, stack, version):
        self.ask = stack.ask
        self.release = RELEASES[version]

    def replaced(self, with_scheduler=True):
        """For stand_ins.install."""
        labs_01_to_04 = {"vllm.v1.core.kv_cache_utils": self._in_utils,
                         "vllm.v1.core.block_pool": self._in_block_pool,
                         "vllm.v1.core.kv_cache_manager": self._in_manager}
        lab_07 = {"vllm.v1.core.sched.scheduler": self._in_scheduler}
        return labs_01_to_04 | (lab_07 if with_scheduler else {})

    def _of(self, cls, **more):
        """A class of this folder, with this kit and what it takes from vLLM's class."""
        return type(cls.__name__, (cls,), {"__slots__": (), "kit": self, **more})

    def _in_utils(self, module):
        self.utils = module
        self.names = Names(module)
        self.requests = Requests(self, self.names, self.release)
        self.blocks = Blocks(self.ask)
        self.Block = self._of(KVCacheBlock)
        return {"KVCacheBlock": self.Block,
                "FreeKVCacheBlockQueue": self._of(FreeKVCacheBlockQueue),
                "generate_block_hash_extra_keys": self.requests.generate_block_hash_extra_keys,
                "get_request_block_hasher": self._hasher}

    def _hasher(self, block_size, hash_function, num_hash_lookahead_tokens=0):
        if num_hash_lookahead_tokens:
            raise Needs("hashes over later tokens")
        return lambda request: self.requests.new_hashes(request, block_size, hash_function)

    def _in_block_pool(self, module):
        self.Pool = self._of(BlockPool)
        return {"BlockPool": self.Pool, "BlockHashToBlockMap": self._of(BlockHashToBlockMap)}

    def _in_manager(self, module):
        names = ("take_events", "make_prefix_cache_stats", "create_kv_cache_blocks",
                 "get_block_ids")
        more = _methods(module.KVCacheManager, names)
        self.Manager = self._of(KVCacheManager, module=module, **more)
        return {"KVCacheManager": self.Manager}

    def _in_scheduler(self, module):
        more = _methods(module.Scheduler, ["make_spec_decoding_stats"])
        self.Scheduler = self._of(Scheduler, **more)
        return {"Scheduler": self.Scheduler}

    @staticmethod
    def status(name):
        return importlib.import_module("vllm.v1.request").RequestStatus[name]

    def event(self, kind, *fields):
        return Events(self.names, self.requests).made(kind, *fields)

    def event_metadata(self, groups):
        interface = importlib.import_module("vllm.v1.kv_cache_interface")
        return tuple((interface.get_kv_cache_spec_kind(group.kv_cache_spec).value,
                      interface.get_kv_cache_spec_sliding_window(group.kv_cache_spec))
                     for group in groups)

    def require_one_group(self, groups):
        if len(groups) != 1:
            raise Needs(f"{len(groups)} groups of layers")
        kind = type(groups[0].kv_cache_spec).__name__
        if kind != "FullAttentionSpec":
            raise Needs(f"layers of {kind}")

    def require_none(self, left_out, value_of):
        """`left_out` has for the name of a setting what it asks for."""
        for name, what in left_out.items():
            if value_of(name):
                raise Needs(what)

    def require_defaults(self, options):
        self.require_none({name: name for name in options}, options.get)
