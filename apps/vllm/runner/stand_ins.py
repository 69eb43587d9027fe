"""Imports of vLLM's tests without what vLLM needs.

Three kinds of modules: the release's own files (those of REAL), small ones of this folder (those
of instead/), and modules whose classes are made on demand (the rest of vLLM, and FOREIGN).
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from pathlib import Path

from runner import on_demand
from runner.real_modules import FOREIGN, NO_POST_INIT, REAL

INSTEAD = Path(__file__).resolve().parent / "instead"
OURS = ("vllm", "tests")


def install(tree, replaced=None):
    """From now on `import vllm...` and `import tests...` are of this tree, in this process.

    `replaced` has for the name of a module the objects that it gets in place of its own, by their
    names, before another module can import them. In place of such a dictionary, a function that
    returns it may be given; it gets the module.
    """
    if any(name.partition(".")[0] in (*OURS, *FOREIGN) for name in sys.modules):
        _forget_modules()
    finder = _Finder(Path(tree), replaced or {})
    sys.meta_path[:] = [finder, *(other for other in sys.meta_path
                                  if not isinstance(other, _Finder))]
    sys.path.insert(0, str(tree))


def _forget_modules():
    for name in list(sys.modules):
        if name.partition(".")[0] in (*OURS, *FOREIGN):
            del sys.modules[name]


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, tree, replaced):
        self.tree = tree
        self.replaced = replaced
        self.own = {name for name in REAL if self.file_of(name)}
        self.own |= {file.stem for file in INSTEAD.glob("*.py")}

    def file_of(self, name):
        """The release's file of a module; None if it has no such module."""
        stem = self.tree.joinpath(*name.split("."))
        files = (stem / "__init__.py", stem.with_name(stem.name + ".py"))
        return next((file for file in files if file.is_file()), None)

    def leads_to_file(self, name):
        """Whether this module, or one inside of it, is a file: then it is never made on demand."""
        return any(own == name or own.startswith(f"{name}.") for own in self.own)

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in (*OURS, *FOREIGN):
            return None
        if top == "tests" and self.file_of(name):
            return None  # pytest has its own import of tests
        instead = INSTEAD / f"{name}.py"
        file = instead if instead.is_file() else name in REAL and self.file_of(name)
        if not file:
            return importlib.machinery.ModuleSpec(name, _OnDemand(self), is_package=True)
        is_package = file.name == "__init__.py" or file == instead
        loader = _File(self, name, str(file))
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=[] if is_package else None)

    def attribute(self, module, name):
        """What a module lacks: a module inside of it, or a class that is made now."""
        inside = f"{module}.{name}"
        if self.leads_to_file(inside):
            return importlib.import_module(inside)
        if name.startswith("__"):
            raise AttributeError(f"module {module} has no attribute {name}")
        return on_demand.make(name, module)


def _make_missing_names(module, finder):
    def missing(name):
        made = finder.attribute(module.__name__, name)
        setattr(module, name, made)
        return made
    module.__getattr__ = missing


class _OnDemand(importlib.abc.Loader):
    def __init__(self, finder):
        self.finder = finder

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        _make_missing_names(module, self.finder)


class _File(importlib.machinery.SourceFileLoader):
    def __init__(self, finder, name, path):
        super().__init__(name, path)
        self.finder = finder

    def exec_module(self, module):
        if Path(self.path).parent == INSTEAD:
            _make_missing_names(module, self.finder)
        super().exec_module(module)
        if module.__name__ in NO_POST_INIT:
            getattr(module, NO_POST_INIT[module.__name__]).__post_init__ = lambda self: None
        replaced = self.finder.replaced.get(module.__name__, {})
        for name, thing in (replaced(module) if callable(replaced) else replaced).items():
            if not hasattr(module, name):
                raise AttributeError(f"{module.__name__} of this release has no {name}")
            setattr(module, name, thing)
