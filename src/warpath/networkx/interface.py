"""What NetworkX loads: the entry point ``networkx.backends``."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from _warpath_networkx.functions import FUNCTIONS as KEYWORDS
from warpath.networkx import algorithms
from warpath.networkx.convert import convert_from_nx, convert_to_nx
from warpath.networkx.registry import FUNCTIONS, can_run, should_run

__all__ = ["can_run", "convert_from_nx", "convert_to_nx", "should_run"]

algorithms.load()


def __getattr__(name: str) -> Any:
    if name in FUNCTIONS:
        # NetworkX looks for it before each call: a module's own names are found faster.
        globals()[name] = _strict(name, FUNCTIONS[name].function)
        return globals()[name]
    raise AttributeError(f"warpath's backend for NetworkX has no {name!r}")


def _strict(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that refuses by its own name what it does not take, and not by that of what it calls."""
    further = KEYWORDS[name]
    known = {*inspect.signature(function).parameters, *further}

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        if not keywords.keys() <= known:
            first = next(one for one in keywords if one not in known)
            raise TypeError(
                f"{name}() got an unexpected keyword argument {first!r}; backend='warpath' adds {', '.join(further)}"
            )
        return function(*args, **keywords)

    return call
