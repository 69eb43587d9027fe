"""Settings as data classes. Nothing is validated."""

import dataclasses


def dataclass(cls=None, *, config=None, **options):
    if cls is None:
        return lambda cls: dataclasses.dataclass(cls, **options)
    return dataclasses.dataclass(cls, **options)
