"""Rows of the matrix that dense methods work on, by their driver, on the emulator."""

import numpy as np
import pytest

from arc_matrices import limits
from emulated_runtime import EmulatedRuntime
from multigraphs import NAMES, multigraph
from warpath import Graph
from warpath.cuda.dense import fill, fill_rows
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import fill_arcs_kernel
from warpath.cuda.runtime import use
from warpath.graph.arrays import Csr

TYPES = [(4, "int32"), (8, "int32"), (8, "int16"), (4, "int64"), (4, "float32"), (8, "float64")]


@pytest.fixture(scope="module")
def runtime(emulator):
    names = [fill_arcs_kernel(offset, dtype, 64) for offset, dtype in TYPES]
    with (
        EmulatedRuntime(emulator, [("dense.cuh", name) for name in names]) as runtime,
        use(runtime),
    ):
        yield runtime


def with_weights(name, dtype):
    """Small weights, some of them negative and most of them several times."""
    source, target, n, directed = multigraph(name, path=40, star=70, hub=150, beside_hub=20)
    weights = np.random.default_rng(1).integers(-3, 9, len(source)).astype(dtype)
    return Graph.from_edges(source, target, weights, n=n, directed=directed)


def expected(graph, source, none, larger):
    """By the definition."""
    n = graph.num_vertices
    distance = np.full((n, n), none, graph.weights.dtype)
    np.fill_diagonal(distance, source)
    tree = np.full((n, n), -1, np.int32)
    for u, v, weight in zip(*graph.coo(), strict=True):
        if weight > distance[u, v] if larger else weight < distance[u, v]:
            distance[u, v], tree[u, v] = weight, u
    return distance, tree


@pytest.mark.parametrize("larger", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_every_graph(runtime, name, larger):
    graph = with_weights(name, np.int32)
    none, source = limits(np.int32)[:: -1 if not larger else 1]
    source = source if larger else 0
    right, tree = expected(graph, source, none, larger)
    there, n = DeviceGraph.from_graph(graph), graph.num_vertices
    for seed in (0, 1):
        runtime.seed = seed
        D, P = runtime.xp.empty((n, n), np.int32), runtime.xp.empty((n, n), np.int32)
        fill(there, source, none, larger, D, P)
        assert np.array_equal(D.get(), right)
        assert np.array_equal(P.get(), tree)
        fill(there, source, none, larger, D, None)
        assert np.array_equal(D.get(), right)


@pytest.mark.parametrize(("offset_bytes", "dtype"), TYPES)
def test_rows_of_every_type(runtime, offset_bytes, dtype):
    """Some rows, of a wider matrix, whose offsets do not begin with 0."""
    source, target = np.random.default_rng(2).integers(0, 50, (2, 400))
    weights = np.random.default_rng(3).integers(-9, 9, 400).astype(np.int32)
    graph = Graph.from_edges(source, target, weights, n=50)
    none = limits(dtype)[1]
    right, tree = expected(graph.with_weights(weights_of(graph, dtype)), 0, none, False)
    for first, end in ((0, 50), (13, 40), (49, 50), (20, 20)):
        arcs = slice(*graph.row_offsets[[first, end]])
        offsets = graph.row_offsets[first : end + 1].astype(f"u{offset_bytes}")
        rows = Csr(
            *map(runtime.xp.asarray, (offsets, graph.column_indices[arcs], weights_of(graph, dtype)[arcs]))
        )  # fmt: skip
        D = runtime.xp.empty((end - first, 64), dtype)
        P = runtime.xp.empty((end - first, 64), np.int32)
        fill_rows(rows, first, 0, none, False, D, P)
        assert np.array_equal(D.get()[:, :50], right[first:end])
        assert np.array_equal(P.get()[:, :50], tree[first:end])
        assert (D.get()[:, 50:] == none).all()


def weights_of(graph, dtype):
    return graph.weights.astype(dtype)
