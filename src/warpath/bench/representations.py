"""Two questions to a graph's three representations: the costs of the survey's table 1, measured.

Is there an arc (u, v)? Which neighbours has u? An adjacency matrix looks at one entry, or at a row;
adjacency lists (CSR) at u's list; a list of edges (COO, not searched but read, as table 1 counts)
at everything.
"""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled

QUESTIONS = ("edge", "neighbours")
# What a list of edges reads for this number of questions takes a second or so at 4 million arcs.
_ASKED = 200
_SEED = 7


@dataclass(frozen=True)
class Answer:
    """How many were found, in what time, by how many bytes."""

    question: str
    questions: int
    found: int
    seconds: float
    nbytes: int


@compiled
def _matrix_edges(matrix, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        found += matrix[us[i], vs[i]]
    return found


@compiled
def _matrix_neighbours(matrix, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for v in range(matrix.shape[1]):
            found += matrix[us[i], v]
    return found


@compiled
def _lists_edges(offsets, columns, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            if columns[arc] == vs[i]:
                found += 1
                break
    return found


@compiled
def _lists_neighbours(offsets, columns, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            found += columns[arc] >= 0
    return found


@compiled
def _edges_edges(sources, targets, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(len(sources)):
            if sources[arc] == us[i] and targets[arc] == vs[i]:
                found += 1
                break
    return found


@compiled
def _edges_neighbours(sources, targets, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(len(sources)):
            found += sources[arc] == us[i]
    return found


_ASK = {
    "adjacency matrix": (_matrix_edges, _matrix_neighbours),
    "adjacency lists": (_lists_edges, _lists_neighbours),
    "list of edges": (_edges_edges, _edges_neighbours),
}


def _arrays(graph: Graph, representation: str) -> tuple[NDArray[Any], ...]:
    """The representation; of the matrix one byte an entry, without parallel arcs."""
    if representation == "adjacency lists":
        return graph.row_offsets.astype(np.int64), graph.column_indices
    sources, targets, _ = graph.coo()
    if representation == "list of edges":
        return sources, targets
    matrix = np.zeros((graph.num_vertices, graph.num_vertices), np.uint8)
    matrix[sources, targets] = 1
    return (matrix,)


@lru_cache(maxsize=1)
def _kept(graph: Graph, representation: str) -> tuple[NDArray[Any], ...]:
    return _arrays(graph, representation)


def ask(graph: Graph, representation: str, question: str) -> Answer:
    """Ask some vertices, drawn by a seed; half of the pairs are arcs."""
    arrays = _kept(graph, representation)
    run = _ASK[representation][QUESTIONS.index(question)]
    us, vs = _drawn(graph)
    run(*arrays, us[:1], vs[:1])  # compiles
    began = time.perf_counter()
    found = int(run(*arrays, us, vs))
    seconds = time.perf_counter() - began
    return Answer(question, len(us), found, seconds, sum(array.nbytes for array in arrays))


def expected(graph: Graph, question: str) -> int:
    """What `ask` finds, by another way: sets of the arcs."""
    us, vs = _drawn(graph)
    rows = [
        set(graph.column_indices[graph.row_offsets[u] : graph.row_offsets[u + 1]].tolist())
        for u in us.tolist()
    ]
    if question == "edge":
        return sum(v in row for row, v in zip(rows, vs.tolist(), strict=True))
    return sum(map(len, rows))


@lru_cache(maxsize=1)
def _drawn(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(_SEED)
    us = rng.integers(0, graph.num_vertices, _ASKED)
    vs = rng.integers(0, graph.num_vertices, _ASKED)
    if graph.num_arcs:
        sources, targets, _ = graph.coo()
        taken = rng.integers(0, graph.num_arcs, _ASKED // 2)
        us[: len(taken)], vs[: len(taken)] = sources[taken], targets[taken]
    return us, vs
