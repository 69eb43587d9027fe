"""Classes that are made when somebody asks for them, for what vLLM imports and its tests of the
core never use: PyTorch's tensors, parsers of models, connectors."""

import abc
import types


def _is_private_to_python(name):
    """Names by which Python and pytest ask what an object is: an answer would be a wrong one."""
    return (name.startswith("__") and name.endswith("__")) or name.startswith(("_abc_", "_pytest"))


def _decorated(arguments, options):
    """What a decorator without an effect returns; None where this is no call of a decorator."""
    is_decorator = len(arguments) == 1 and not options and isinstance(
        arguments[0], (type, types.FunctionType, staticmethod, classmethod))
    return arguments[0] if is_decorator else None


class _Made(abc.ABCMeta):
    """The attributes of such a class, and of its objects, are such classes too."""

    def __getattr__(cls, name):
        if _is_private_to_python(name):
            raise AttributeError(name)
        made = make(name, cls.__module__)
        setattr(cls, name, made)
        return made

    def __call__(cls, *arguments, **options):
        if cls.__dict__.get("is_made"):
            return _decorated(arguments, options) or super().__call__(*arguments, **options)
        return super().__call__(*arguments, **options)

    def __getitem__(cls, _):
        return cls

    def __iter__(cls):
        return iter(())

    def __len__(cls):
        return 0

    def __bool__(cls):
        return True

    def __or__(cls, other):
        return cls

    __ror__ = __or__


class Made(metaclass=_Made):
    """An object of such a class is false, empty, and does nothing when it is called."""

    def __init__(self, *arguments, **options):
        pass

    def __init_subclass__(cls, **options):
        super().__init_subclass__()

    def __getattr__(self, name):
        if _is_private_to_python(name):
            raise AttributeError(name)
        return getattr(type(self), name)()

    def __call__(self, *arguments, **options):
        return _decorated(arguments, options) or type(self)()

    def __getitem__(self, _):
        return type(self)()

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def make(name, module):
    return _Made(name, (Made,), {"__module__": module, "is_made": True})
