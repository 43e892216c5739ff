"""All pairs from parts, against other methods and the certificate."""

from contextlib import contextmanager
from typing import ClassVar

import numpy as np
import pytest

import warpath as wp
from algebras import best_paths, probabilities
from exhaustive import few, slow
from warpath.algorithms.all_pairs.partitioned import Arcs, fill_by_parts
from warpath.cpu.blocks import Blocks
from warpath.cpu.minplus import no_path
from warpath.planning.partition import Cut

pytest.importorskip("pymetis", reason="cuts graphs: pip install 'warpath[partition]'")

RANDOM = wp.generate.erdos_renyi(300, 900, directed=True, weights=(1, 99), seed=1)
GRAPHS = {
    "grid": wp.generate.grid(18, weights=(1, 9)),
    "directed": RANDOM,
    "one way": wp.generate.erdos_renyi(300, 330, directed=True, weights=(1, 9), seed=2),
    "zeros": wp.generate.erdos_renyi(300, 900, weights=(0, 1), seed=3),
    "negative": wp.generate.negative_weights(RANDOM, seed=4),
    "no arcs": wp.Graph.from_edges([], [], np.array([], np.int32), n=70),
    "parallel": wp.Graph.from_edges(
        [0, 0, 1, 1, 2, 2, 69], [1, 1, 1, 2, 69, 0, 3], np.int32([5, 2, 0, 7, 1, 1, 4]), n=70
    ),
}


def run(graph, **options):
    return wp.apsp(graph, method="partitioned", device="cpu", **options)


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
@pytest.mark.parametrize("parts", [1, 2, 7, 20])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_distances_of_other_methods(name, parts, dtype, into):
    into(parts)
    graph = GRAPHS[name].with_weights(GRAPHS[name].weights.astype(dtype))
    expected = wp.apsp(graph, method="johnson", device="cpu").distance  # whole numbers
    assert np.array_equal(run(graph).distance, expected)
    found = run(graph, predecessors=True)
    assert np.array_equal(found.distance, expected)
    found.verify()
    assert f"in {parts} parts" in found.stats.why or parts == 1


@pytest.mark.slow  # each compiles a product of parts
@pytest.mark.parametrize("algebra", ["widest", "minimax", "most-reliable"])
def test_algebras(algebra, into):
    into(6)
    graph = GRAPHS["directed"]
    if algebra == "most-reliable":
        graph = probabilities(graph)
    found = run(graph, algebra=algebra, predecessors=True)
    found.verify()
    expected = [best_paths(graph, v, algebra, graph.weights.dtype.type) for v in range(40)]
    assert np.allclose(found.distance[:40], expected, rtol=1e-12)


def test_floats_that_round(into):
    into(9)
    rng = np.random.default_rng(5)
    graph = GRAPHS["grid"].without_weights()
    weights = rng.random(graph.num_arcs // 2)
    source, target, _ = graph.edges()
    graph = wp.Graph.from_edges(source, target, weights, directed=False)
    found = run(graph, predecessors=True)
    assert not found.exact
    found.verify()
    exact = run(graph, exact=True)
    assert np.array_equal(exact.distance, wp.apsp(graph, method="sssp", device="cpu").distance)


def test_rows_in_batches(into, monkeypatch, tmp_path):
    monkeypatch.setattr("warpath.planning.partition._ROWS_BYTES", 1)  # 64 rows
    into(3)
    calls = []
    found = run(
        GRAPHS["directed"], predecessors=True, out=tmp_path / "d.npy",
        progress=lambda *call: calls.append(call),
    )  # fmt: skip
    found.verify()
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (300, 300)
    assert len(calls) == 6


@pytest.mark.parametrize("cycle", [[3, 4, 5], [3, 150], [7]])
@pytest.mark.parametrize("parts", [1, 5])
def test_a_negative_cycle_is_named(parts, cycle, into):
    into(parts)
    graph = wp.Graph.from_edges(
        [0, *cycle], [1, *cycle[1:], cycle[0]], [1, *[2] * (len(cycle) - 1), -9], n=200
    )
    with pytest.raises(wp.NegativeCycleError) as caught:
        run(graph)
    assert sorted(caught.value.cycle) == cycle


def test_roads_by_themselves():
    graph = wp.generate.grid(40, weights=(1, 99))
    found = run(graph, predecessors=True)
    assert "vertices on their boundaries" in found.stats.why
    found.verify()
    assert np.array_equal(found.distance, wp.apsp(graph, method="sssp", device="cpu").distance)


class Filled(Blocks):
    """The CPU's, but matrices are filled up as a GPU's must be."""

    unit, depth = 64, 32

    def close(self, D, P):
        assert D.shape == (len(D), len(D))
        assert len(D) % self.unit == 0
        super().close(D, P)

    def better(self, C, CP, A, B, BP):
        assert C.shape[1] % self.unit == A.shape[1] % self.depth == 0
        assert (len(C), C.shape[1], A.shape[1]) == (len(A), B.shape[1], len(B))
        super().better(C, CP, A, B, BP)


# Vertices 0 … 2 are a part, 3 … 5 another, 6 and 7 one each; arcs to and from others make of 1, 4, 6
# boundaries, where they are there.
CYCLES = {
    "a part of one vertex": ([7], False),
    "one on a boundary by itself": ([6], True),
    "one inside": ([2], True),
    "one on a boundary": ([4], True),
    "inside a part": ([0, 2], True),
    "inside, through the boundary": ([3, 4, 5], True),
    "inside, without boundaries": ([3, 4, 5], False),
    "between two parts": ([1, 4], True),
    "through three parts": ([0, 1, 6, 5], True),
    "through all": ([0, 3, 6, 7], False),
}


@pytest.mark.parametrize("engine", [Blocks, Filled])
@pytest.mark.parametrize("dtype", [np.int32, *slow([np.float32])])
@pytest.mark.parametrize("name", CYCLES)
def test_negative_cycles_show_on_the_diagonal(name, dtype, engine):
    """A GPU's run looks there, and nowhere else."""
    cycle, joined = CYCLES[name]
    others = [(0, 1), (1, 4), (4, 6), (6, 1), (2, 0), (5, 4)] if joined else [(1, 2)]
    weights = [*[1] * (len(cycle) - 1), -len(cycle)]
    source, target = np.array([*others, *zip(cycle, [*cycle[1:], cycle[0]], strict=True)]).T
    values = np.array([*[9] * len(others), *weights], dtype)
    cut = Cut.of(np.array([0, 0, 0, 1, 1, 1, 2, 3]), source, target, 4)
    start, none = dtype(0), no_path("shortest", dtype)
    arcs = Arcs.of(cut, (source, target, values), values, start, none)
    distance = np.empty((8, 8), dtype)
    fill_by_parts(
        cut, arcs, start, none, [engine("shortest", 1)], distance, None,
        lambda rows, parents: None, lambda done, of: None,
    )  # fmt: skip
    assert (np.diagonal(distance) < 0)[cycle].all()
    assert (np.diagonal(distance)[7] < 0) == (7 in cycle)


@pytest.mark.parametrize("name", few(GRAPHS, GRAPHS.keys() - {"parallel"}))  # of int64
def test_matrices_that_are_filled_up(name, into, monkeypatch):
    monkeypatch.setattr("warpath.algorithms.all_pairs.cpu_apsp.Blocks", Filled)
    into(4)
    expected = wp.apsp(GRAPHS[name], method="johnson", device="cpu").distance
    found = run(GRAPHS[name], predecessors=True)
    assert np.array_equal(found.distance, expected)
    found.verify()


class Apart(Filled):
    """One of several devices, whose memory is its own."""

    devices: ClassVar[list["Apart"]] = []
    current = None

    def __init__(self, algebra, threads, lazy=False):
        super().__init__(algebra, threads, lazy)
        self.closed, self.made, self.brought = [], 0, 0

    @contextmanager
    def working(self):
        before, Apart.current = Apart.current, self
        yield
        Apart.current = before

    def close(self, D, P):
        assert Apart.current is self
        self.closed.append(len(D))
        super().close(D, P)

    def better(self, *operands):
        assert Apart.current is self
        super().better(*operands)

    def place(self, whole, rows, some, order):
        assert Apart.current is self
        self.made += len(rows)
        super().place(whole, rows, some, order)

    def bring(self, array, of):
        assert Apart.current is self
        assert of is not self
        self.brought += len(array)
        return array.copy()

    def synchronize(self):
        Apart.devices.append(self)


@pytest.mark.parametrize("count", [2, 3, 9])
@pytest.mark.parametrize("name", GRAPHS)
def test_several_devices_have_parts_each(name, count, into, monkeypatch):
    from warpath.algorithms.all_pairs import cpu_apsp

    def on_several(cut, arcs, start, none, devices, *answer):
        (one,) = devices
        several = [Apart(one.algebra, one.threads, one.lazy) for _ in range(count)]
        fill_by_parts(cut, arcs, start, none, several, *answer)

    into(7)
    alone = run(GRAPHS[name], predecessors=True)
    monkeypatch.setattr(cpu_apsp, "fill_by_parts", on_several)
    monkeypatch.setattr(Apart, "devices", [])
    ticks = []
    found = run(GRAPHS[name], predecessors=True, progress=lambda *call: ticks.append(call))
    assert np.array_equal(found.distance, alone.distance)
    found.verify()
    n = GRAPHS[name].num_vertices
    assert len(Apart.devices) == count
    assert sum(one.made for one in Apart.devices) == 2 * n  # distances, predecessors
    assert sum(one.made > 0 for one in Apart.devices) > 1
    # Each part is closed once, and each device closes the boundary graph, if there is one.
    closed = sum(len(one.closed) for one in Apart.devices)
    assert closed <= 7 + count
    if name not in ("no arcs", "parallel"):  # of few boundaries
        assert all(one.brought > 0 for one in Apart.devices)
    assert ticks[-1] == (n, n)
