"""Graphs that several GPUs make, a part each, which are the emulator's."""

import pickle

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from warpath.bench import graph500
from warpath.generate.erdos_renyi import RandomEdges
from warpath.generate.rmat import RmatEdges
from warpath.graph import sort
from warpath.graph.build import Batch


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator, timeout=60) as runtime:
        yield runtime


@pytest.fixture
def gpus(runtime, monkeypatch):
    """Four GPUs. The emulator draws no edges: the host does."""

    def on_host(drawn):
        def moved(edges, xp, first, last):
            batch = drawn(edges, np, first, last)
            return Batch(*(None if one is None else xp.asarray(one) for one in batch))

        return moved

    for edges in (RmatEdges, RandomEdges):
        monkeypatch.setattr(edges, "drawn", on_host(edges.drawn))
    with emulated_device(runtime, 4):
        yield


CASES = [
    (2, {}),
    (3, {"directed": True, "weights": (1, 99)}),
    ([3, 1], {"simple": True, "weights": (0.0, 1.0)}),
    (4, {"n": 70, "simple": True, "directed": True, "weights": (-3, 3)}),
    (4, {"n": 20}),  # parts without vertices
    (2, {"edge_factor": 0}),
    ([1, 1], {"weights": (1, 9)}),
]


def same_arrays(one, other):
    for mine, theirs in zip(one, other, strict=True):
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(("devices", "options"), CASES, ids=str)
def test_it_is_the_graph_that_one_device_makes(gpus, monkeypatch, devices, options):
    monkeypatch.setattr(sort, "_SLAB", 300)
    monkeypatch.setattr(sort, "_EDGES_AT_A_TIME", 100)
    made, expected = (
        wp.generate.rmat(7, **{"edge_factor": 9, "seed": 5} | options, **where)
        for where in ({"devices": devices}, {})
    )
    graph = made.graph
    for number in (
        "num_vertices", "num_arcs", "num_edges", "num_self_loops", "weight_range", "weight_dtype", "largest_degree",
        "directed", "nbytes",
    ):  # fmt: skip
        assert getattr(graph, number) == getattr(expected, number), number
    assert graph.mean_arc_degree == pytest.approx(expected.mean_arc_degree)
    assert graph.mean_weight == pytest.approx(expected.mean_weight)
    assert graph.vertices_with_arcs == np.count_nonzero(expected.degree)
    same_arrays(graph.resident, expected.resident)
    rows = [one.backward for one in graph.rows]
    columns = np.concatenate([one.column_indices.get() for one in rows])
    np.testing.assert_array_equal(columns, expected.reverse.column_indices)


@pytest.mark.parametrize(("parts", "directed"), [(1, True), (3, False)])
def test_vertices_by_degree_cyclically(gpus, runtime, parts, directed):
    """The drawn edges, renamed here."""
    options = {"edge_factor": 9, "seed": 5, "weights": (1, 9), "directed": directed}
    made = wp.generate.rmat(7, devices=parts, by_degree=True, **options).graph
    drawn = RmatEdges.of(7, 9, (0.57, 0.19, 0.19, None), None, (1, 9), 5, True)
    edges = [one.get() for one in drawn.drawn(runtime.xp, 0, drawn.count)]
    order = np.argsort(-np.bincount(np.concatenate(edges[:2]), minlength=128), kind="stable")
    name = np.argsort(np.concatenate([order[part::parts] for part in range(parts)]))
    expected = wp.Graph.from_edges(
        name[edges[0]], name[edges[1]], edges[2], n=128, directed=directed
    )
    same_arrays(made.resident, expected.resident)


def test_random_graphs_likewise(gpus, monkeypatch):
    monkeypatch.setattr(sort, "_SLAB", 300)
    monkeypatch.setattr(sort, "_EDGES_AT_A_TIME", 100)
    for options in ({"weights": (1, 9)}, {"directed": True, "seed": 2}, {"replace": True}):
        made, expected = (
            wp.generate.erdos_renyi(90, 700, **options, **where) for where in ({"devices": 3}, {})
        )
        same_arrays(made.graph.resident, expected.resident)
        found = wp.bfs(made, 3)
        found.verify()
        np.testing.assert_array_equal(found.distance, wp.bfs(expected, 3, device="cpu").distance)


def test_searches_take_the_rows_where_they_lie(gpus):
    made = wp.generate.rmat(8, weights=(1, 9), seed=1, devices=3)
    graph, expected = made.graph, wp.generate.rmat(8, weights=(1, 9), seed=1)
    for search in (wp.bfs, wp.sssp):
        found = search(made, 3)
        found.verify()
        np.testing.assert_array_equal(found.distance, search(expected, 3, device="cpu").distance)
    labels, count = wp.connected_components(made)
    expected_labels, expected_count = wp.connected_components(expected)
    np.testing.assert_array_equal(labels, expected_labels)
    assert count == expected_count
    for part, rows in zip(made.parts, graph.rows, strict=True):
        assert part.part.graph.column_indices is rows.forward.column_indices
    planned = wp.plan(made, "sssp", 3)
    assert [one.arcs for one in planned.parts] == [len(one.forward[1]) for one in graph.rows]
    assert [one.first for one in planned.parts] == list(graph.bounds[:-1])


def test_nothing_comes_to_the_host_unless_it_is_looked_at(gpus):
    made = wp.generate.rmat(8, weights=(1, 9), directed=True, seed=1, devices=2)
    graph = made.graph
    wp.bfs(made, 3).verify()
    wp.sssp(made, 3).verify()
    repr(made), str(made)
    assert "resident" not in vars(graph)
    before = graph.memory()
    assert before["arcs"] == sum(
        one.nbytes for rows in graph.rows for csr in rows for one in csr if one is not None
    )
    assert "on the host" not in before
    assert len(graph.row_offsets) == 257
    assert graph.memory()["on the host"] == sum(one.nbytes for one in graph.resident)
    graph.release()
    assert graph.memory() == {"arcs": before["arcs"]}
    wp.bfs(made, 3).verify()  # it is cut again, as it lies
    assert "resident" not in vars(graph)


def test_other_devices_take_copies(gpus):
    graph = wp.generate.rmat(7, seed=1, devices=2).graph
    expected = wp.bfs(wp.generate.rmat(7, seed=1), 3).distance
    copies = [wp.Graph(graph), pickle.loads(pickle.dumps(graph)), graph.without_weights()]
    for one in (graph, *copies):
        np.testing.assert_array_equal(wp.bfs(one, 3, device="cpu").distance, expected)
    for devices in (3, [3, 2]):
        found = wp.bfs(graph, 3, devices=devices)
        found.verify()
        np.testing.assert_array_equal(found.distance, expected)
    found = wp.bfs(graph, 3, device="cuda")
    found.verify()
    np.testing.assert_array_equal(found.to_numpy().distance, expected)


@pytest.mark.slow
@pytest.mark.parametrize(("devices", "by_degree"), [((0, 1), True), ((2,), False)])
def test_graph500(gpus, devices, by_degree):
    """Each answer is validated; the edges are those that one process counts."""
    subject = graph500.OnGpus(devices, by_degree=by_degree)
    found = graph500.run(subject, 6, 4, roots=2, kernels=("bfs", "sssp"))
    alone = graph500.run(graph500.OnDevice("cpu"), 6, 4, roots=2)
    assert found.ranks == len(devices)
    np.testing.assert_array_equal(found.edges, alone.edges)


def test_bad_arguments_are_named(gpus):
    with pytest.raises(ValueError, match="devices=2: ranks have a GPU each"):
        wp.generate.rmat(3, devices=2, distributed=True)
    with pytest.raises(ValueError, match="device='cpu' and devices=2: these are GPUs"):
        wp.generate.rmat(3, devices=2, device="cpu")
    with pytest.raises(ValueError, match="devices=9"):
        wp.generate.rmat(3, devices=9)
    with pytest.raises(ValueError, match="scale"):
        wp.generate.rmat(31, devices=2)


def test_without_a_gpu_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("warpath.devices.missing", lambda: "there is no NVIDIA GPU")
    with pytest.raises(wp.DeviceUnavailableError, match="no NVIDIA GPU"):
        wp.generate.rmat(3, devices=2)
