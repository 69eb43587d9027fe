"""Structs as data classes. Nothing is encoded."""

import dataclasses

NODEFAULT = UNSET = None
UnsetType = type(None)


def field(*, default=dataclasses.MISSING, default_factory=dataclasses.MISSING, name=None):
    return dataclasses.field(default=default, default_factory=default_factory)


class Struct:
    def __init_subclass__(cls, frozen=False, eq=True, kw_only=False, order=False, **of_encoding):
        super().__init_subclass__()
        for name in cls.__dict__.get("__annotations__", {}):
            _copy_default(cls, name)
        # A class with a frozen base is a data class only if it is frozen too.
        dataclasses.dataclass(eq=eq, kw_only=kw_only, order=order, unsafe_hash=frozen)(cls)


def _copy_default(cls, name):
    """Each object has its own [] or {}, as msgspec's have."""
    default = cls.__dict__.get(name)
    if isinstance(default, (list, dict, set)):
        setattr(cls, name, dataclasses.field(default_factory=default.copy))
