"""Answers that are sums of floats, in whatever order: compared to nine digits."""

import math
from typing import Any

import networkx as nx

from networkx_graphs import assert_equivalent, assert_plain, outcome


def rounded(value: Any) -> Any:
    """The answer with all floats rounded; NaN as a word, which equals itself."""
    if isinstance(value, float):
        return float(f"{value:.9g}") if value == value else "nan"
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(rounded, value))
    return value


def is_close(ours: Any, theirs: Any) -> bool:
    """Whether answers are the same but for the last digits of floats, wherever these are."""
    if isinstance(ours, float) and isinstance(theirs, (int, float)):
        both_nan = ours != ours and theirs != theirs
        return both_nan or ours == theirs or math.isclose(ours, theirs, rel_tol=1e-9)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(is_close(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(is_close, ours, theirs))
    return bool(ours == theirs)


def compare_close(name: str, G: Any, *args: Any, **kwargs: Any) -> None:
    """As `networkx_graphs.compare`, but floats may differ by their last digits."""
    function = getattr(nx, name)
    ours = outcome(function, G, *args, backend="warpath", **kwargs)
    theirs = outcome(function, G, *args, backend="networkx", **kwargs)
    assert_plain(ours)
    assert_equivalent(rounded(ours), rounded(theirs))
