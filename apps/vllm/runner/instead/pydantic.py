"""Settings as data classes. Nothing is validated."""

from dataclasses import MISSING, field


def Field(default=MISSING, *, default_factory=MISSING, init=True, kw_only=MISSING,
          **of_validation):
    default = MISSING if default is ... else default
    return field(default=default, default_factory=default_factory, init=init, kw_only=kw_only)


def _no_validation(*fields, **options):
    return lambda function: function


field_validator = model_validator = field_serializer = _no_validation
