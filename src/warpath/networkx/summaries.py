"""How far each node is from all others, for NetworkX's functions; and what is left to NetworkX."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from warpath.algorithms.all_pairs.rows import Rows, Summary, rows_of, rows_of_paths
from warpath.graph.distance import distance_dtype
from warpath.networkx.device_keyword import engine
from warpath.networkx.graph import BackendGraph, Weight
from warpath.operators import ALGEBRAS
from warpath.typing import DeviceName


@contextmanager
def left_to_networkx() -> Iterator[None]:
    """What warpath refuses becomes NetworkX's to answer.

    Raises
    ------
    NotImplementedError
        Weights that make no answer, or one beyond 64 bits.
    """
    try:
        yield
    except (ValueError, OverflowError) as error:
        raise NotImplementedError(str(error)) from None


def rows(
    G: BackendGraph,
    weight: Weight,
    sources: int,
    *,
    reverse: bool = False,
    device: DeviceName = "auto",
) -> Rows:
    """Rows of distances from a batch of nodes; ``reverse``: of distances to them.

    Raises
    ------
    NotImplementedError
        If a weight is negative: NetworkX's Dijkstra says something of it, or does not.
    """
    graph = G.to_graph(weight)
    if graph.weight_range[0] < 0:
        raise NotImplementedError(f"a weight of {graph.weight_range[0]} and Dijkstra's algorithm")
    there = graph.reverse if reverse and G.is_directed() else graph
    if engine(device) == "cpu":
        return rows_of_paths(there, sources=sources)
    method = "bfs" if there.weight_dtype is None else "sssp"
    return rows_of(method, there, ALGEBRAS["shortest"], distance_dtype(there), "cuda")


def summary(
    G: BackendGraph,
    weight: Weight = None,
    vertices: Any = None,
    *,
    reverse: bool = False,
    inverse: bool = False,
    device: DeviceName = "auto",
) -> Summary:
    """How far all others are from each of some vertices, by default from all; see `rows`.

    Parameters
    ----------
    vertices : sequence of int, optional
    reverse : bool
        How far each is from all others.
    inverse : bool
        Whether reciprocals are wanted.

    Raises
    ------
    NotImplementedError
    """
    every = np.array(range(len(G)) if vertices is None else vertices, np.int32)
    where = engine(device)  # an unknown one is no weight that NetworkX can answer
    with left_to_networkx():
        makes = rows(G, weight, len(every), reverse=reverse, device=where)
        return makes.summarise(every, inverse=inverse)
