"""Structs as data classes. Nothing is encoded."""

import dataclasses

NODEFAULT = UNSET = None
UnsetType = type(None)


def field(*, default=dataclasses.MISSING, default_factory=dataclasses.MISSING, name=None):
    return dataclasses.field(default=default, default_factory=default_factory)


class Struct:
    def __init_subclass__(cls, frozen=False, eq=True, kw_only=False, order=False, **of_encoding):
        super().__init_subclass__()
        for name, default in list(vars(cls).items()):
            _copy_default(cls, name, default)
        # A data class that is frozen needs bases that are; a hash is all that is used of it.
        dataclasses.dataclass(eq=eq, kw_only=kw_only, order=order, unsafe_hash=frozen)(cls)


def _copy_default(cls, name, default):
    """Each object has its own [] or {}, as msgspec's have."""
    if isinstance(default, (list, dict, set)) and not name.startswith("__"):
        setattr(cls, name, dataclasses.field(default_factory=default.copy))
