"""Settings as data classes. Nothing is validated."""

import dataclasses


def Field(default=dataclasses.MISSING, *, default_factory=dataclasses.MISSING, init=True,
          kw_only=dataclasses.MISSING, **of_validation):
    if default is ...:
        default = dataclasses.MISSING
    return dataclasses.field(default=default, default_factory=default_factory, init=init,
                             kw_only=kw_only)


def _no_validation(*fields, **options):
    return lambda function: function


field_validator = model_validator = field_serializer = _no_validation
