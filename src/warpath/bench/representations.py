"""Three questions to a graph's representations: the costs of the survey's table 1, measured.

Is there an arc (u, v)? Which arcs has u? And a sweep, as algorithms do that visit each vertex in each iteration:
for every vertex the sum over its arcs of weight · target. That needs all that an arc has.

An adjacency matrix, whose entries are weights, looks at one entry, or at a row. Adjacency lists (CSR) look at
u's list. A list of edges (COO) is in a random order, and read whole. If it is sorted, its arcs are found by
binary search. If each pair of an undirected graph stands in it once, pairs are also read in the inverse order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.bench import clock
from warpath.graph.dense_matrix import pitch_of
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

Arrays = tuple[NDArray[Any], ...]

QUESTIONS = ("edge", "neighbours", "sweep")
# What a list of edges reads for this number of questions takes a second or so at 4 million arcs.
_ASKED = 200
_SEED = 7
_TICK = 1e-9  # seconds of the clock: a difference of times may be noise below 0
_NO_ARC = int(unreachable(np.int32))  # in a matrix
_MAX_MATRIX_BYTES = 2**34  # 16 GiB: a guess of what a machine has


@dataclass(frozen=True)
class Answer:
    """How many were found, in what time, by how many bytes.

    Attributes
    ----------
    questions : int
        Vertices, in a sweep.
    found : int
        The arcs that were found; of a sweep `checksum` of its sums.
    nbytes : int
        The representation's.
    """

    question: str
    questions: int
    found: int
    seconds: float
    nbytes: int


@compiled
def _matrix_edges(matrix, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        found += matrix[us[i], vs[i]] != _NO_ARC
    return found


@compiled
def _matrix_neighbours(matrix, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for v in range(matrix.shape[0]):
            found += matrix[us[i], v] != _NO_ARC
    return found


@compiled
def _matrix_sweep(matrix, sums):  # type: ignore[no-untyped-def]
    for u in range(len(sums)):
        total = 0
        for v in range(len(sums)):
            weight = matrix[u, v]
            if weight != _NO_ARC:
                total += weight * v
        sums[u] = total


@compiled
def _lists_edges(offsets, columns, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            if columns[arc] == vs[i]:
                found += 1
                break
    return found


@compiled
def _lists_neighbours(offsets, columns, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            found += columns[arc] >= 0
    return found


@compiled
def _lists_sweep(offsets, columns, weights, sums):  # type: ignore[no-untyped-def]
    for u in range(len(sums)):
        total = 0
        for arc in range(offsets[u], offsets[u + 1]):
            total += np.int64(weights[arc]) * columns[arc]
        sums[u] = total


@compiled
def _interleaved_edges(offsets, arcs, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            if arcs[arc, 0] == vs[i]:
                found += 1
                break
    return found


@compiled
def _interleaved_neighbours(offsets, arcs, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(offsets[us[i]], offsets[us[i] + 1]):
            found += arcs[arc, 0] >= 0
    return found


@compiled
def _interleaved_sweep(offsets, arcs, sums):  # type: ignore[no-untyped-def]
    for u in range(len(sums)):
        total = 0
        for arc in range(offsets[u], offsets[u + 1]):
            total += np.int64(arcs[arc, 1]) * arcs[arc, 0]
        sums[u] = total


@compiled
def _edges_edges(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(len(sources)):
            if sources[arc] == us[i] and targets[arc] == vs[i]:
                found += 1
                break
    return found


@compiled
def _edges_neighbours(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for arc in range(len(sources)):
            found += sources[arc] == us[i]
    return found


@compiled
def _edges_sweep(sources, targets, weights, sums):  # type: ignore[no-untyped-def]
    for arc in range(len(sources)):
        sums[sources[arc]] += np.int64(weights[arc]) * targets[arc]


@compiled
def _place(sources, targets, u, v):  # type: ignore[no-untyped-def]
    """Where the first arc stands that is not before (u, v)."""
    begin, end = 0, len(sources)
    while begin < end:
        middle = (begin + end) // 2
        if sources[middle] < u or (sources[middle] == u and targets[middle] < v):
            begin = middle + 1
        else:
            end = middle
    return begin


@compiled
def _sorted_edges(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        arc = _place(sources, targets, us[i], vs[i])
        found += arc < len(sources) and sources[arc] == us[i] and targets[arc] == vs[i]
    return found


@compiled
def _sorted_neighbours(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        arc = _place(sources, targets, us[i], 0)
        while arc < len(sources) and sources[arc] == us[i]:
            found += targets[arc] >= 0
            arc += 1
    return found


@compiled
def _once_edges(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for edge in range(len(sources)):
            u, v = sources[edge], targets[edge]
            if (u == us[i] and v == vs[i]) or (v == us[i] and u == vs[i]):
                found += 1
                break
    return found


@compiled
def _once_neighbours(sources, targets, weights, us, vs):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(us)):
        for edge in range(len(sources)):
            found += sources[edge] == us[i] or targets[edge] == us[i]
    return found


@compiled
def _once_sweep(sources, targets, weights, sums):  # type: ignore[no-untyped-def]
    for edge in range(len(sources)):
        u, v = sources[edge], targets[edge]
        sums[u] += np.int64(weights[edge]) * v
        if u != v:
            sums[v] += np.int64(weights[edge]) * u


def _weights(graph: Graph) -> NDArray[np.int32]:
    """Those of the arcs; 1 each if there are none."""
    if graph.weights is None:
        return np.ones(graph.num_arcs, np.int32)
    if graph.weights.dtype != np.int32:
        raise ValueError(f"representations have weights of int32, not {graph.weights.dtype}")
    return graph.weights


def _matrix(graph: Graph, padded: bool) -> Arrays:
    n = graph.num_vertices
    pitch = pitch_of(n, 4) if padded else n
    if 4 * n * pitch > _MAX_MATRIX_BYTES:
        raise MemoryError(f"a matrix of {n:,} vertices takes {4 * n * pitch / 2**30:,.0f} GiB")
    (sources, targets, _), weights = graph.coo(), _weights(graph)
    if bool(((sources[1:] == sources[:-1]) & (targets[1:] == targets[:-1])).any()):
        raise ValueError("a matrix has no parallel arcs")
    matrix = np.full((n, pitch), _NO_ARC, np.int32)
    matrix[sources, targets] = weights
    return (matrix,)


def _lists(graph: Graph) -> Arrays:
    return graph.row_offsets.astype(np.int64), graph.column_indices, _weights(graph)


def _interleaved(graph: Graph) -> Arrays:
    offsets, columns, weights = _lists(graph)
    return offsets, np.stack([columns, weights], axis=1)


def _sorted(graph: Graph) -> Arrays:
    sources, targets, _ = graph.coo()
    return sources, targets, _weights(graph)


def _shuffled(graph: Graph) -> Arrays:
    order = np.random.default_rng(_SEED).permutation(graph.num_arcs)
    sources, targets, weights = _sorted(graph)
    return sources[order], targets[order], weights[order]


def _once(graph: Graph) -> Arrays:
    if graph.directed:
        raise ValueError("each pair stands once for an undirected graph")
    sources, targets, weights = _sorted(graph)
    chosen = sources <= targets
    return sources[chosen], targets[chosen], weights[chosen]


@dataclass(frozen=True)
class Form:
    """A representation.

    Attributes
    ----------
    make : callable
        Takes a graph, returns its arrays.
    edge, neighbours : callable
        Take them, and two arrays of vertices; return what is found.
    sweep : callable
        Takes them, and sums to add to, which are 0.
    on_gpu : str
        What does that in `warpath.cuda.graph_sweeps`.
    """

    make: Callable[[Graph], Arrays]
    edge: Callable[..., int]
    neighbours: Callable[..., int]
    sweep: Callable[..., None]
    on_gpu: str


_MATRIX = _matrix_edges, _matrix_neighbours, _matrix_sweep, "sweep_matrix"
FORMS = {
    "adjacency matrix": Form(partial(_matrix, padded=False), *_MATRIX),
    "adjacency matrix, padded": Form(partial(_matrix, padded=True), *_MATRIX),
    "adjacency lists": Form(_lists, _lists_edges, _lists_neighbours, _lists_sweep, "sweep_lists"),
    "adjacency lists, AoS": Form(
        _interleaved, _interleaved_edges, _interleaved_neighbours, _interleaved_sweep,
        "sweep_interleaved_lists",
    ),
    "list of edges": Form(_shuffled, _edges_edges, _edges_neighbours, _edges_sweep, "sweep_edges"),
    "list of edges, sorted": Form(
        _sorted, _sorted_edges, _sorted_neighbours, _edges_sweep, "sweep_edges"
    ),
    "list of edges, each pair once": Form(
        _once, _once_edges, _once_neighbours, _once_sweep, "sweep_edges_once"
    ),
}  # fmt: skip
"""By name. Rows of a padded matrix begin at multiples of 128 bytes. Lists have their arcs' targets and weights in
two arrays, or as an array of structures (AoS)."""


@lru_cache(maxsize=1)
def _kept(graph: Graph, representation: str) -> Arrays:
    return FORMS[representation].make(graph)


@lru_cache(maxsize=1)
def _on_gpu(graph: Graph, representation: str) -> tuple[Any, ...]:
    from warpath.cuda import runtime

    return tuple(map(runtime.current().xp.asarray, _kept(graph, representation)))


def ask(
    graph: Graph, representation: str, question: str, device: BuildDeviceName = "cpu"
) -> Answer:
    """Ask some vertices, drawn by a seed, of which half of the pairs are arcs; or sweep over all.

    Parameters
    ----------
    graph : Graph
        Its weights are int32; without, each arc has 1.
    representation : str
        One of `FORMS`.
    question : {"edge", "neighbours", "sweep"}
    device : {"cpu", "cuda"}
        One core, or a GPU, which sweeps. The representation is there before the clock starts.

    Raises
    ------
    ValueError
        A graph that a representation cannot hold, or another question on a GPU.
    MemoryError
        A matrix that is too large.
    """
    form, arrays = FORMS[representation], _kept(graph, representation)
    nbytes = sum(array.nbytes for array in arrays)
    if question == "sweep":
        sums, seconds = _swept(graph, representation, device)
        return Answer(question, len(sums), checksum(sums), seconds, nbytes)
    if device != "cpu":
        raise ValueError(f"a GPU is asked for a sweep, not for {question!r}")
    run = {"edge": form.edge, "neighbours": form.neighbours}[question]
    us, vs = _drawn(graph)
    # A call takes a microsecond or so without any, as long as many a question to a matrix.
    empty = min(clock.on_host(partial(run, *arrays, us[:0], vs[:0]))[1] for _ in range(3))
    found, seconds = clock.on_host(partial(run, *arrays, us, vs))
    return Answer(question, len(us), int(found), max(seconds - empty, _TICK), nbytes)


def _swept(
    graph: Graph, representation: str, device: BuildDeviceName
) -> tuple[NDArray[np.int64], float]:
    """The sums, and seconds."""
    form, n = FORMS[representation], graph.num_vertices
    if device == "cpu":
        sums = np.zeros(n, np.int64)
        _, seconds = clock.on_host(partial(form.sweep, *_kept(graph, representation), sums))
        return sums, seconds
    from warpath.cuda import graph_sweeps, runtime

    there = runtime.current().xp.zeros(n, np.int64)
    sweep = partial(getattr(graph_sweeps, form.on_gpu), *_on_gpu(graph, representation), there)
    _, seconds = clock.on_device(sweep)
    return there.get(), seconds


def checksum(sums: NDArray[np.int64]) -> int:
    """Each sum times its place, counted from 1, all together modulo 2⁶⁴."""
    places = np.arange(1, len(sums) + 1, dtype=np.uint64)
    return int((sums.view(np.uint64) * places).sum())


@lru_cache(maxsize=len(QUESTIONS))
def expected(graph: Graph, question: str) -> int:
    """What `ask` finds, by another way: sets of the arcs, degrees, NumPy's sums."""
    us, vs = _drawn(graph)
    if question == "edge":
        rows = [
            set(graph.column_indices[graph.row_offsets[u] : graph.row_offsets[u + 1]].tolist())
            for u in us.tolist()
        ]
        return sum(v in row for row, v in zip(rows, vs.tolist(), strict=True))
    if question == "neighbours":
        return int(graph.degree[us].sum())
    return checksum(sums_of(graph))


def sums_of(graph: Graph) -> NDArray[np.int64]:
    """What a sweep finds, by NumPy."""
    sources, targets, _ = graph.coo()
    sums = np.zeros(graph.num_vertices, np.int64)
    np.add.at(sums, sources, _weights(graph).astype(np.int64) * targets)
    return sums


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
