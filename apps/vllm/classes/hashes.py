"""The names of blocks: a number of 64 bits here, the bytes of a digest in vLLM's tests."""

from dataclasses import dataclass

from classes.stack import Needs

NO_ADAPTER = ("", "")


class Names:
    """Which number of the program has which bytes. The bytes are those of the function that the
    test hashes with, over what the student's code has hashed."""

    def __init__(self, utils):
        self.utils = utils  # vllm.v1.core.kv_cache_utils
        self.bytes_of = {}
        self.numbers = {}
        self.contents = {}

    def note(self, number, content, name):
        known = self.contents.setdefault(number, content)
        assert known == content, f"two blocks have one hash, {known} and {content}"
        self.bytes_of[number] = name
        self.numbers[name] = number

    def number_of(self, name):
        """Of bytes that a test has made up, a number that no block has."""
        return self.numbers.setdefault(name, len(self.numbers) + 1)

    def external(self, number):
        return self.utils.maybe_convert_block_hash(self.bytes_of[number])

    def with_group(self, number):
        return self.utils.make_block_hash_with_group_id(self.bytes_of[number], 0)


@dataclass
class KitRequest:
    """The request of the program that goes with one of a test."""
    number: int
    block_size: int
    num_tokens: int = 0
    last_hash: int | None = None
    adapter: tuple = NO_ADAPTER  # its name, and its path if it counts


class Requests:
    def __init__(self, stack, names, release):
        self.ask = stack.ask
        self.names = names
        self.key_forms = release.key_forms
        self.has_paths = release.has_paths_of_adapters
        self.known = {}  # from id() to the request and its kit_request
        self.adapters = {}  # from the name of an adapter to the request's own object for it

    def of(self, request, block_size=None):
        kit_request = self.known.get(id(request), (None, None))[1]
        if kit_request is None:
            images = [[feature.identifier, feature.mm_position.offset, feature.mm_position.length]
                      for feature in request.mm_features or []]
            number = self.ask("new_request", request.request_id, block_size or 1,
                              request.cache_salt or "", images)
            kit_request = KitRequest(number, block_size or 1)
            self.known[id(request)] = request, kit_request
        if block_size not in (None, kit_request.block_size):
            raise Needs("blocks of several sizes")
        self._set_adapter(request, kit_request)
        return kit_request

    def _set_adapter(self, request, kit_request):
        adapter = request.lora_request
        told = NO_ADAPTER
        if adapter:
            told = adapter.lora_name, adapter.lora_path if self.has_paths else ""
        if told == kit_request.adapter:
            return
        self.adapters[told[0]] = adapter
        kit_request.adapter = told
        self.ask("set_adapter", kit_request.number, *told)

    def new_hashes(self, request, block_size, hash_function):
        """The names of the blocks that its new tokens fill."""
        if getattr(request, "prompt_embeds", None) is not None:
            raise Needs("prompts of embeddings")
        kit_request = self.of(request, block_size)
        first = kit_request.num_tokens // block_size
        blocks = self.bring_tokens(request, kit_request)
        return [self._named(kit_request,
                            list(request.all_token_ids[i * block_size:(i + 1) * block_size]),
                            block, hash_function)
                for i, block in enumerate(blocks, first)]

    def bring_tokens(self, request, kit_request):
        """Gives the program the tokens that it lacks."""
        new = list(request.all_token_ids[kit_request.num_tokens:])
        kit_request.num_tokens += len(new)
        return self.ask("append_tokens", kit_request.number, new) if new else []

    def _named(self, kit_request, tokens, block, hash_function):
        number, keys = block
        parent, kit_request.last_hash = kit_request.last_hash, number
        assert number == self.ask("hash_block_tokens", parent, tokens, keys), \
            f"a block's hash is that of its parent, its tokens {tokens} and its extra keys {keys}"
        before = self.names.utils.NONE_HASH if parent is None else self.names.bytes_of[parent]
        name = hash_function((before, tuple(tokens), self.extra_keys(keys)))
        self.names.note(number, (parent, tokens, keys), name)
        return name

    def extra_keys(self, keys):
        """As vLLM has them. "path=PATH" belongs to the adapter's name, which is before it."""
        found = [key.split("=", 1) for key in keys]
        path = next((value for kind, value in found if kind == "path"), None)
        return tuple(self._extra_key(kind, value, path)
                     for kind, value in found if kind != "path") or None

    def _extra_key(self, kind, value, path):
        form = self.key_forms[kind]
        if kind == "lora":
            return form(value, path)
        if kind == "image":
            image, offset = value.rsplit("@", 1)
            return form(image, int(offset))
        return form(value)

    def generate_block_hash_extra_keys(self, request, start, end, first_image):
        kit_request = self.of(request)
        keys = self.ask("generate_block_hash_extra_keys", kit_request.number, start, end)
        ended = [feature for feature in request.mm_features or []
                 if feature.mm_position.offset + feature.mm_position.length <= end]
        return self.extra_keys(keys), max(first_image, len(ended))
