"""What NetworkX loads: the entry point ``networkx.backends``."""

from typing import Any

from warpath.networkx import algorithms
from warpath.networkx.convert import convert_from_nx, convert_to_nx
from warpath.networkx.registry import FUNCTIONS, can_run, should_run

__all__ = ["can_run", "convert_from_nx", "convert_to_nx", "should_run"]

algorithms.load()


def __getattr__(name: str) -> Any:
    if name in FUNCTIONS:
        # NetworkX looks for it before each call: a module's own names are found faster.
        globals()[name] = FUNCTIONS[name].function
        return globals()[name]
    raise AttributeError(f"warpath's backend for NetworkX has no {name!r}")
