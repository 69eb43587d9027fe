#!/bin/sh
# With prefix caching off, vLLM 0.33 hands out the block that was freed last, not the one that has been
# free the longest; and its own document still tells of a queue.
#
# Expected: BlockPool has a "free queue"; freed blocks join its tail, as in vLLM 0.22.1, so a new pool
# of 6 blocks gives 1 and 2, and after these are freed, 3.
# Seen with vLLM 0.33.0: free_blocks puts each block without a hash at the head, and with caching off no
# block has one: the next block is 1. With caching on, the half full last block of a request is reused
# before every cached block. docs/design/prefix_caching.md of the same release says that freed blocks are
# added to the tail. Who sizes a pool or reads a trace by "first in, first out" is wrong since 0.24.
#
# How: the file block_pool.py of each release, with empty classes in the place of what it imports but
# does not need for this (PyTorch among them).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
get() { # version, place on the index, SHA-256
  curl -sfLo archive "https://files.pythonhosted.org/packages/$2/vllm-$1.tar.gz"
  echo "$3  archive" | sha256sum -c --quiet
  tar xf archive "vllm-$1/vllm/v1/core" "vllm-$1/docs/design/prefix_caching.md"
}
get 0.22.1 84/7c/6c745e218eaffc0fe77480d0fcbbf6835ba655da3691606eba3b8b48cc81 \
  cd34902729f3767e3dfbb391956b2986bc638a54be9893e78bda9cc55669f15c
get 0.33.0 f7/25/aa5684e9c59d6fc75f78926b7f15e8d9adc7de2d9e6e7575b80776ad8169 \
  f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112

cat >next_block.py <<'PYTHON'
import importlib.abc
import importlib.machinery
import sys
import types

OWN = ("vllm.v1.core.block_pool", "vllm.v1.core.kv_cache_utils")


class Empty(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        members = {"__init__": lambda self, *args, **options: None,
                   "__class_getitem__": classmethod(lambda cls, _: cls)}
        setattr(self, name, type(name, (), members))
        return getattr(self, name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("vllm", "torch", "numpy", "msgspec", "cbor2") and name not in OWN:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = Empty(spec.name)
        module.__path__ = [f"{sys.argv[1]}/{spec.name.replace('.', '/')}"]
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Finder())
from vllm.v1.core.block_pool import BlockPool  # noqa: E402

pool = BlockPool(num_gpu_blocks=6, enable_caching=False, hash_block_size=16)
taken = pool.get_new_blocks(2)
pool.free_blocks(taken)
print([block.block_id for block in taken], "then", pool.get_new_blocks(1)[0].block_id)
PYTHON

seen="0.22.1: $(python3 next_block.py vllm-0.22.1)
0.33.0: $(python3 next_block.py vllm-0.33.0)
its document: $(grep -c 'freed blocks are added to the tail of the free queue' \
  vllm-0.33.0/docs/design/prefix_caching.md)"
echo "$seen"
[ "$seen" = '0.22.1: [1, 2] then 3
0.33.0: [1, 2] then 1
its document: 1' ] || { echo 'this has changed' >&2; exit 1; }
