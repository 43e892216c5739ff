"""Answers that are sums of floats, in whatever order: compared to nine digits."""

from typing import Any

import networkx as nx

from networkx_graphs import assert_alike, assert_plain, outcome


def rounded(value: Any) -> Any:
    """The answer with all floats rounded; NaN as a word, which equals itself."""
    if isinstance(value, float):
        return float(f"{value:.9g}") if value == value else "nan"
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(rounded, value))
    return value


def compare_close(name: str, G: Any, *args: Any, **kwargs: Any) -> None:
    """As `networkx_graphs.compare`, but floats may differ by their last digits."""
    function = getattr(nx, name)
    ours = outcome(function, G, *args, backend="warpath", **kwargs)
    theirs = outcome(function, G, *args, backend="networkx", **kwargs)
    assert_plain(ours)
    assert_alike(rounded(ours), rounded(theirs))
