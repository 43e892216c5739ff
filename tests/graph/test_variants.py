import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pytest

import warpath as wp
from warpath.graph import build


def test_reverse_is_built_once_whoever_asks(monkeypatch):
    calls = []
    transpose = build.transpose

    def counted(*arguments):
        calls.append(threading.get_ident())
        return transpose(*arguments)

    monkeypatch.setattr(build, "transpose", counted)
    rng = np.random.default_rng(0)
    graph = wp.Graph.from_edges(*rng.integers(0, 1000, (2, 100_000)), n=1000)
    calls.clear()  # building sorts with it as well
    gate = threading.Barrier(8)

    def ask():
        gate.wait()
        return graph.reverse

    with ThreadPoolExecutor(8) as pool:
        answers = [done.result() for done in [pool.submit(ask) for _ in range(8)]]
    assert len(calls) == 1
    assert all(answer is answers[0] for answer in answers)
    assert answers[0].reverse is graph


def test_weights(small):
    assert small.weight_range == (0, 7)
    assert small.mean_weight == 3
    plain = small.without_weights()
    assert plain.weights is None
    assert plain.weight_range == (1, 1)
    assert plain.mean_weight == 1
    assert np.shares_memory(plain.column_indices, small.column_indices)
    with pytest.raises(ValueError, match="the graph has no weights"):
        plain.arc_weights(0)
    other = plain.with_weights([0.5, 1, 2, 3, 4])
    assert other.weights.tolist() == [0.5, 1, 2, 3, 4]
    assert np.shares_memory(other.column_indices, small.column_indices)
    with pytest.raises(ValueError, match="weights has 2 entries for 5 arcs"):
        small.with_weights([1, 2])
    with pytest.raises(ValueError, match=r"weights\[4\] is nan"):
        small.with_weights([1, 2, 3, 4, np.nan])


def test_weights_of_an_undirected_graph_agree():
    graph = wp.Graph.from_edges([0], [1], directed=False)
    assert graph.with_weights([3, 3]).weights.tolist() == [3, 3]
    with pytest.raises(ValueError, match="has no reverse"):
        graph.with_weights([3, 4])


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("labels", [None, [f"v{k}" for k in range(30)]])
def test_subgraph(directed, labels):
    rng = np.random.default_rng(4)
    ends = rng.integers(0, 30, (2, 90))
    graph = wp.Graph.from_edges(
        *ends, rng.random(90), n=30, directed=directed, labels=labels
    )  # fmt: skip
    names = range(30) if labels is None else labels
    chosen = [names[v] for v in (17, 3, 4, 28, 3, 9, 20, 21, 1)]
    part = graph.subgraph(chosen)
    assert part.labels.tolist() == [names[v] for v in sorted({17, 3, 4, 28, 9, 20, 21, 1})]
    assert part.directed == directed
    rows = [row for row in graph.to_frame().rows() if row[0] in chosen and row[1] in chosen]
    assert len(rows) > 3
    assert part.to_frame().rows() == rows
    wp.Graph.from_csr(*part.resident, directed=directed)  # symmetric, if undirected
    found = wp.sssp(part, chosen[1])
    for v in chosen:
        if found[v] is not None:
            assert {*found.path(v)} <= {*chosen}


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("labels", [None, [f"v{i}" for i in range(40)]])
def test_by_degree(directed, labels):
    rng = np.random.default_rng(5)
    ends = np.minimum(rng.integers(0, 40, (2, 120)), rng.integers(0, 40, (2, 120)))
    frame = pl.DataFrame({"source": ends[0], "target": ends[1], "weight": rng.random(120)})
    graph = wp.Graph.from_edges(
        *frame, n=40, directed=directed, labels=labels, edge_ids=True
    ).with_coordinates(rng.random(40), rng.random(40))  # fmt: skip
    other = graph.by_degree()
    names = np.arange(40) if labels is None else np.array(labels)
    degree = graph.degree + graph.in_degree if directed else graph.degree
    order = np.argsort(-degree, kind="stable")
    assert other.labels.tolist() == names[order].tolist()
    rows, wanted = (
        [
            (*(edge[:2] if directed else sorted(edge[:2])), *edge[2:])
            for edge in one.to_frame().rows()
        ]
        for one in (other, graph)
    )
    assert sorted(rows) == sorted(wanted)
    assert np.array_equal(other.weights, frame["weight"].to_numpy()[other.edge_ids])
    assert np.array_equal(other.coordinates, graph.coordinates[order])
    for source in names[:5].tolist():
        found = wp.sssp(other, source)
        found.verify()
        assert np.array_equal(found.distance, wp.sssp(graph, source).distance[order])


def test_parts_get_vertices_by_degree_cyclically():
    graph = wp.Graph.from_edges([0, 0, 0, 1, 2], [1, 2, 3, 2, 2], n=5, directed=False)
    order = np.argsort(-graph.degree, kind="stable").tolist()
    assert graph.by_degree(2).labels.tolist() == order[::2] + order[1::2]
    assert graph.by_degree(9).labels.tolist() == order
    wp.bfs(graph.by_degree(2), 3).verify()
    with pytest.raises(ValueError, match="parts"):
        graph.by_degree(0)


def test_by_degree_as_it_is():
    graph = wp.Graph.from_edges([0, 0], [1, 2], directed=False)
    assert graph.by_degree().labels is None  # called 0, 1 and 2 all the same
    assert wp.Graph.from_edges([], []).by_degree().num_vertices == 0


def test_subgraphs_of_few():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 0])
    assert graph.subgraph([1, 0]).labels is None  # called 0 and 1 all the same
    assert graph.subgraph([]).num_vertices == 0
    assert graph.subgraph(2).labels.tolist() == [2]
    with pytest.raises(ValueError, match=r"3, but the graph has 3 vertices"):
        graph.subgraph([3])


def test_largest_component():
    graph = wp.Graph.from_edges([0, 2, 3, 4], [1, 3, 4, 3], [5, 6, 7, 8])
    assert graph.largest_component().to_frame().rows() == [(2, 3, 6), (3, 4, 7), (4, 3, 8)]
    assert graph.largest_component(strong=True).to_frame().rows() == [(3, 4, 7), (4, 3, 8)]
    named = wp.Graph.from_edges(["a", "c", "d"], ["b", "d", "e"])
    assert named.largest_component().labels.tolist() == ["c", "d", "e"]
    assert wp.Graph.from_edges([], []).largest_component().num_vertices == 0


@pytest.mark.parametrize("kind", [np.array, pd.Series, pl.Series])
@pytest.mark.parametrize("labels", [None, ["a", "b", "c", "d"]])
def test_subgraph_of_a_boolean_array(kind, labels):
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 3, 0, 0], [1, 2, 3, 4], labels=labels)
    names = range(4) if labels is None else labels
    part = graph.subgraph(kind([True, True, False, True]))
    assert part.labels.tolist() == [names[v] for v in (0, 1, 3)]
    assert part.weights.tolist() == [1, 2, 4]
    with pytest.raises(ValueError, match="vertices has 3 entries for 4 vertices"):
        graph.subgraph(kind([True, True, False]))


def test_subgraph_of_core_numbers():
    graph = wp.Graph.from_edges(["a", "b", "c", "c"], ["b", "c", "a", "d"], directed=False)
    assert graph.subgraph(wp.core_numbers(graph) >= 2).labels.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    "mask", [pl.Series([True, None]), pd.Series([True, None], dtype="boolean")]
)
def test_subgraph_of_what_is_not_known(mask):
    with pytest.raises(ValueError, match="must not have missing values"):
        wp.Graph.from_edges([0], [1]).subgraph(mask)
