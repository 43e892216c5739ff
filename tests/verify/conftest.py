"""A solver so slow and small that it is plainly right."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from warpath import Graph


def relax_until_nothing_changes(
    graph: Graph, source: int | Iterable[int], dtype: Any = None, limit: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Distances from the nearest source, and predecessors; sums in ``dtype``, left to right.

    Without ``dtype``: levels as of a breadth-first search, int32 and -1 where unreached.
    """
    n, levels = graph.num_vertices, dtype is None
    sources, targets, weights = graph.coo()
    if levels or weights is None:
        weights = np.ones(len(targets), np.int32)
    dtype = np.dtype(np.int32 if levels else dtype)
    number = dtype.type if dtype.kind == "f" else int
    arcs = [(int(u), int(v), number(w)) for u, v, w in zip(sources, targets, weights, strict=True)]
    distance: dict[int, Any] = {int(s): number(0) for s in np.atleast_1d(source)}
    predecessor = np.full(n, -1, np.int32)
    changed = True
    while changed:
        changed = False
        for u, v, w in arcs:
            if u in distance and (v not in distance or distance[u] + w < distance[v]):
                distance[v], predecessor[v], changed = distance[u] + w, u, True
    unreachable = -1 if levels else np.inf if dtype.kind == "f" else np.iinfo(dtype).max
    answer = np.full(n, unreachable, dtype)
    for v, d in distance.items():
        if limit is None or d <= limit:
            answer[v] = d
        else:
            predecessor[v] = -1
    return answer, predecessor


@pytest.fixture(scope="session")
def solve() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    return relax_until_nothing_changes


@pytest.fixture(scope="session")
def random_graph() -> Callable[..., Graph]:
    """A multigraph with self-loops and isolated vertices; small weights, hence many ties."""

    def make(
        seed: int,
        dtype: Any = None,
        *,
        directed: bool = True,
        low: int = 0,
        n: int = 12,
        m: int = 30,
    ) -> Graph:
        rng = np.random.default_rng(seed)
        source, target = rng.integers(0, n, (2, m))
        weight = None if dtype is None else rng.integers(low, 5, m).astype(dtype)
        if weight is not None and weight.dtype.kind == "f":
            weight *= np.asarray(0.1, dtype)  # sums round
        return Graph.from_edges(source, target, weight, n=n + 2, directed=directed)

    return make
