"""The events of a cache, as vLLM sends them."""

import importlib


class Events:
    def __init__(self, names, requests):
        self.names = names
        self.requests = requests
        self.theirs = importlib.import_module("vllm.distributed.kv_events")

    def made(self, kind, *fields):
        return getattr(self, f"_{kind}")(*fields)

    def _stored(self, hashes, parent, token_ids, block_size, lora_name):
        adapter = self.requests.adapters.get(lora_name)
        keys = [self.names.contents[number][2] for number in hashes]
        return self.theirs.BlockStored(
            block_hashes=[self.names.external(number) for number in hashes],
            parent_block_hash=None if parent is None else self.names.external(parent),
            token_ids=token_ids, block_size=block_size,
            lora_id=adapter.adapter_id if adapter else None,
            medium=self.theirs.MEDIUM_GPU,
            lora_name=lora_name or None,
            extra_keys=[self.requests.extra_keys(of_block) for of_block in keys],
            group_idx=0)

    def _removed(self, number):
        return self.theirs.BlockRemoved(block_hashes=[self.names.external(number)],
                                        medium=self.theirs.MEDIUM_GPU, group_idx=0)

    def _cleared(self):
        return self.theirs.AllBlocksCleared()
