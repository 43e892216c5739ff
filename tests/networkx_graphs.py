"""Graphs of NetworkX to try a backend on, and what is asked of its answers."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
WEIGHTS = {
    "integers": lambda draw: draw.randint(1, 6),
    "floats": lambda draw: draw.uniform(0.1, 2),
    "zeros": lambda draw: draw.randint(0, 2),
    "some missing": lambda draw: draw.choice([None, 1, 3]),
}


def random_graph(kind: type, weights: str, seed: int, n: int = 40, m: int = 90) -> Any:
    """A graph with self-loops, nodes apart, nodes that are no numbers, in no particular order."""
    draw = random.Random(seed)
    names: list[Any] = [*range(n - 4), "a", (1, 2), "b", frozenset({3})]
    draw.shuffle(names)
    G = kind()
    G.add_nodes_from(names[:7])
    for _ in range(m):
        u, v = draw.choice(names), draw.choice(names)
        weight = WEIGHTS[weights](draw)
        G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return G


def drained(value: Any) -> Any:
    """An answer with its generators run to the end."""
    if isinstance(value, Iterator):
        return [drained(part) for part in value]
    if isinstance(value, tuple):
        return tuple(drained(part) for part in value)
    return value


def assert_plain(value: Any) -> None:
    """No scalar of NumPy's, ``np.bool_`` included, anywhere."""
    assert not isinstance(value, np.generic), f"NumPy's {value!r}"
    if isinstance(value, nx.Graph):
        assert_plain([list(value.nodes(data=True)), list(value.edges(data=True))])
    elif isinstance(value, Mapping):
        assert_plain([*value.keys(), *value.values()])
    elif isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            assert_plain(part)


def assert_equivalent(ours: Any, theirs: Any, *, ordered: bool = True) -> None:
    """Equal, of the same types, dicts in the same order if ``ordered``."""
    assert_plain(ours)
    if isinstance(theirs, nx.Graph):
        assert type(ours) is type(theirs)
        assert list(ours.nodes(data=True)) == list(theirs.nodes(data=True))
        assert list(ours.edges(data=True)) == list(theirs.edges(data=True))
    elif isinstance(theirs, dict):
        assert isinstance(ours, dict)
        assert ours.keys() == theirs.keys()
        if ordered:
            assert list(ours) == list(theirs)
        for key in theirs:
            assert_equivalent(ours[key], theirs[key], ordered=ordered)
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_equivalent(mine, other, ordered=ordered)
    else:
        assert type(ours) is type(theirs), (ours, theirs)
        assert ours == theirs


def outcome(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The answer, generators drained; or the exception's type and words."""
    try:
        return drained(function(*args, **kwargs))
    except Exception as error:
        return type(error), error.args


def compare(name: str, G: Any, *args: Any, ordered: bool = True, **kwargs: Any) -> None:
    """A function's answer, or exception, is NetworkX's own."""
    function = getattr(nx, name)
    ours = outcome(function, G, *args, backend="warpath", **kwargs)
    theirs = outcome(function, G, *args, backend="networkx", **kwargs)
    assert_equivalent(ours, theirs, ordered=ordered)


def declined(name: str, G: Any, *args: Any, **kwargs: Any) -> None:
    """The backend leaves a call to NetworkX."""
    kind, _ = outcome(getattr(nx, name), G, *args, backend="warpath", **kwargs)
    assert kind is NotImplementedError
