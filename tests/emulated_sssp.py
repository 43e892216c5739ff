"""Searches for shortest paths in the emulator, for the tests that run cases of sssp_case.h."""

import numpy as np
from scipy.sparse import csgraph

from balance_inputs import inputs_of_case
from multigraphs import NAMES, multigraph
from oracles import lightest, unreachable
from warpath import Graph, verify

DTYPES = {"int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64}
NOBODY = ALL = 2**32 - 1
TRACE = ("vertices", "arcs", "nanoseconds", "way", "mode", "balance")
SWEEP = None  # Δ of the workfront sweep: infinite


def make(name):
    """A graph with weights 0 to 11."""
    source, target, n, directed = multigraph(name, path=70, star=1500, hub=2000, beside_hub=700)
    weights = (np.minimum(source, target) * 31 + np.maximum(source, target) * 17) % 12
    return Graph.from_edges(source, target, weights.astype(np.int32), n=n, directed=directed)


GRAPHS = {name: make(name) for name in NAMES}


def in_dtype(graph, dtype):
    """The graph with weights in ``dtype``; floats round."""
    weights = graph.weights.astype(dtype)
    return graph.with_weights(weights * dtype(0.1) if weights.dtype.kind == "f" else weights)


def answer(graph, sources, dtype):
    """Distances from the nearest source, by NumPy: each arc in each round. Close to SciPy's."""
    tail, head, weight = graph.coo()
    wide = np.dtype(dtype if np.dtype(dtype).kind == "f" else np.int64)
    weight = weight.astype(wide)
    distance = np.full(graph.num_vertices, np.inf if wide.kind == "f" else 2**62, wide)
    distance[sources] = 0
    for _ in range(graph.num_vertices):
        before = distance.copy()
        np.minimum.at(distance, head, before[tail] + weight)
        if np.array_equal(before, distance):
            break
    if graph.weight_range[0] < 0:
        found = csgraph.bellman_ford(lightest(graph), indices=np.unique(sources)).min(axis=0)
    else:
        found = csgraph.dijkstra(lightest(graph), indices=np.unique(sources), min_only=True)
    reached = np.isfinite(found)
    assert np.allclose(distance[reached], found[reached], rtol=1e-5, atol=1e-5)
    return np.where(reached, distance, unreachable(np.dtype(dtype))).astype(dtype)


def run(
    program, test, graph, sources, delta=SWEEP, *,
    seed=0, blocks=2, wider=1, iterations=ALL, launches=10**6, cutoff=None, target=NOBODY,
    offset=np.uint32, dtype=np.int32, rows=300,
):  # fmt: skip
    """Run one case of a program that includes sssp_case.h."""
    dtype = np.dtype(dtype)
    never = np.array([unreachable(dtype)], dtype)
    found = program.run(
        test,
        seed=seed,
        blocks=blocks,
        row_offsets=graph.row_offsets.astype(offset),
        column_indices=graph.column_indices.astype(np.uint32),
        weights=graph.weights,
        sources=np.array(sources, np.uint32),
        delta=never if delta is SWEEP else np.array([delta], dtype),
        most_delta=never if delta is SWEEP else np.array([delta * wider], dtype),
        cutoff=never if cutoff is None else np.array([cutoff], dtype),
        target=target,
        directed=int(graph.directed),
        finishes=1,
        iterations=iterations,
        launches=launches,
        rows=rows,
        **inputs_of_case(test, graph.row_offsets.astype(offset)),
    )
    trace = dict(zip(TRACE, found["trace"].reshape(-1, len(TRACE)).T, strict=True))
    size = int(found["level"][0])
    return found | {f"trace_{name}": column[:size] for name, column in trace.items()}


def search(program, test, graph, sources, delta=SWEEP, *, dtype=np.int32, **options):
    """Run one case to its end, and check its answer and its certificate."""
    found = run(program, test, graph, sources, delta, dtype=dtype, **options)
    assert found["size"][0] == 0
    assert np.array_equal(found["distance"], answer(graph, sources, dtype))
    verify.sssp(graph, np.array(sources, np.int32), found["distance"])
    return found


def dense(n=40):
    """Every arc there is: many lower the same vertex in one iteration."""
    source, target = np.divmod(np.arange(n * n), n)
    weights = np.random.default_rng(1).integers(1, 1000, n * n).astype(np.int32)
    return Graph.from_edges(source, target, weights, n=n, directed=True)
