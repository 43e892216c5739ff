import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array

import warpath as wp
from small_graphs import edge_lists


def arcs_of(graph):
    """The arcs as a sorted list of tuples."""
    columns = [c.tolist() for c in graph.coo() if c is not None]
    return sorted(zip(*columns, strict=True))


def tuples(source, target, weight):
    columns = [c.tolist() for c in (source, target, weight) if c is not None]
    return list(zip(*columns, strict=True))


def reversed_tuple(arc):
    return (arc[1], arc[0], *arc[2:])


@given(edge_lists())
def test_a_directed_graph_has_the_arcs_that_were_given(edges):
    source, target, weight, n = edges
    graph = wp.Graph.from_edges(source, target, weight, n=n)
    assert graph.directed
    assert arcs_of(graph) == sorted(tuples(source, target, weight))
    assert (graph.num_vertices, graph.num_arcs, graph.num_edges) == (n, len(source), len(source))
    assert graph.num_self_loops == np.count_nonzero(source == target)
    np.testing.assert_array_equal(graph.degree, np.bincount(source, minlength=n))
    np.testing.assert_array_equal(graph.in_degree, np.bincount(target, minlength=n))
    assert arcs_of(graph.reverse) == sorted(map(reversed_tuple, tuples(source, target, weight)))
    for v in range(n):
        assert graph.neighbors(v).tolist() == sorted(target[source == v].tolist())
        assert [graph.has_edge(v, u) for u in range(n)] == [
            bool(np.any((source == v) & (target == u))) for u in range(n)
        ]


@given(edge_lists())
def test_an_undirected_graph_has_each_edge_both_ways_and_self_loops_once(edges):
    source, target, weight, n = edges
    graph = wp.Graph.from_edges(source, target, weight, n=n, directed=False)
    given_arcs = tuples(source, target, weight)
    loops = [arc for arc in given_arcs if arc[0] == arc[1]]
    others = [arc for arc in given_arcs if arc[0] != arc[1]]
    assert not graph.directed
    assert arcs_of(graph) == sorted(loops + others + list(map(reversed_tuple, others)))
    assert graph.num_edges == len(given_arcs)
    assert graph.num_self_loops == len(loops)
    assert graph.reverse is graph
    np.testing.assert_array_equal(graph.degree, graph.in_degree)
    once = sorted(min(arc, reversed_tuple(arc)) for arc in given_arcs)
    assert sorted(tuples(*graph.edges())) == once
    again = wp.Graph.from_csr(
        graph.row_offsets, graph.column_indices, graph.weights, directed=False
    )
    assert arcs_of(again) == arcs_of(graph)


@given(edge_lists(), st.sampled_from(["keep", "min", "sum"]), st.booleans())
def test_symmetrize(edges, merge, drop):
    source, target, weight, n = edges
    graph = wp.Graph.from_edges(
        source, target, weight, n=n, symmetrize=True, merge=merge, drop_self_loops=drop
    )
    wanted = {}
    for u, v, *w in tuples(source, target, weight):
        if drop and u == v:
            continue
        for arc in {(u, v), (v, u)}:
            old = wanted.get(arc)
            if not w or old is None:
                wanted[arc] = w
            else:
                wanted[arc] = [old[0] + w[0]] if merge == "sum" else [min(old[0], w[0])]
    assert not graph.directed
    assert arcs_of(graph) == sorted((*arc, *w) for arc, w in wanted.items())


@given(edge_lists(), st.booleans())
def test_drop_self_loops(edges, directed):
    source, target, weight, n = edges
    graph = wp.Graph.from_edges(
        source, target, weight, n=n, directed=directed, drop_self_loops=True
    )
    assert graph.num_self_loops == 0
    assert graph.num_edges == np.count_nonzero(source != target)


@given(edge_lists(), st.booleans())
def test_merged_sums_are_scipys(edges, directed):
    source, target, weight, n = edges
    if weight is None or n == 0:
        return
    graph = wp.Graph.from_edges(source, target, weight, n=n, directed=directed, merge="sum")
    dense = coo_array((weight, (source, target)), (n, n)).toarray()
    if not directed:
        dense = dense + np.tril(dense, -1).T + np.triu(dense, 1).T
    np.testing.assert_array_equal(graph.to_scipy().toarray(), dense)


def test_sums_of_floats_are_the_same_in_both_directions():
    """0.1 + 0.2 + 0.3 depends on the order: both arcs of an edge must take the same one."""
    ends = [0, 1, 0, 1, 1, 0], [1, 0, 1, 0, 0, 1]
    weight = [0.1, 0.2, 0.3, 1e16, 0.7, -1e16]
    graph = wp.Graph.from_edges(*ends, weight, directed=False, merge="sum")
    assert graph.weights[0] == graph.weights[1]
    wp.Graph.from_csr(graph.row_offsets, graph.column_indices, graph.weights, directed=False)


def test_rows_are_sorted_and_parallel_arcs_stay_in_order(small):
    assert small.neighbors(0).tolist() == [1, 2, 2]
    assert small.arc_weights(0).tolist() == [5, 1, 7]


def test_no_vertices():
    graph = wp.Graph.from_edges([], [])
    assert (graph.num_vertices, graph.num_arcs, graph.num_edges) == (0, 0, 0)
    assert graph.row_offsets.tolist() == [0]
    assert graph.weight_range == (0, 0)
    assert graph.mean_weight == 0
    assert graph.reverse.num_vertices == 0
    assert wp.Graph.from_edges([], [], []).weights is not None
    assert wp.Graph.from_edges([], [], n=3).degree.tolist() == [0, 0, 0]


def test_n_is_one_more_than_the_largest_id():
    assert wp.Graph.from_edges([0, 7], [3, 1]).num_vertices == 8
    assert wp.Graph.from_edges([0, 1], [3, 9]).num_vertices == 10


def test_dtypes(small):
    assert small.row_offsets.dtype == small.column_indices.dtype == np.int32
    for dtype in ("i4", "i8", "f4", "f8"):
        graph = wp.Graph.from_edges([0], [1], np.ones(1, dtype))
        assert graph.weights.dtype == np.dtype(dtype)
        assert graph.reverse.weights.dtype == np.dtype(dtype)


def test_the_graph_does_not_share_the_edges_memory():
    source, target, weight, labels = (np.arange(4, dtype=np.int32) for _ in range(4))
    graph = wp.Graph.from_edges(source, target, weight, labels=labels)
    weight[:] = target[:] = labels[:] = 0
    assert graph.weights.tolist() == graph.column_indices.tolist() == [0, 1, 2, 3]
    assert graph.labels.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, -1], [1, 1]), {}, r"source\[1\] is -1"),
        (([0, 1], [1, -2]), {}, r"target\[1\] is -2"),
        (([0, 3], [1, 1]), {"n": 3}, r"source\[1\] is 3, but the graph has 3 vertices"),
        (([0, 1], [4, 1]), {"n": 3}, r"target\[0\] is 4, but the graph has 3 vertices"),
        (([0], [0]), {"n": 0}, r"source\[0\] is 0, but the graph has 0 vertices"),
        (
            ([0], [2**31 - 1]),
            {"compact": False},
            "vertex id 2147483647 is larger than .*compact=True",
        ),
        (
            ([0], ["a"]),
            {"compact": False},
            "target must hold integer vertex ids, not .*compact=True",
        ),
        (([0, 1], [1, np.nan]), {}, r"missing values \(target\[1\]\)"),
        ((["a", None], ["b", "a"]), {}, r"missing values \(source\[1\]\)"),
        ((["a", "b"], ["b", 7]), {}, "all integers or all text, but .*is 7"),
        ((["a"], ["b"]), {"n": 2}, "n=2 is for ids that are vertex numbers"),
        (
            (["a"], ["b"]),
            {"labels": ["a", "b"]},
            "labels= is for ids that are numbers; .* for names without edges",
        ),
        (([0], [0]), {"n": -1}, "not -1"),
        (([0], [0]), {"n": 2.5}, "an integer, not 2.5"),
        (([0, 1], [1]), {}, "source has 2 entries but target has 1"),
        (([0], [1], [1, 2]), {}, "weight has 2 entries for 1 edge"),
        (([0.5], [1]), {}, "source must hold integer vertex ids, not float64"),
        (([[0]], [1]), {}, "source must be one-dimensional"),
        (([[0, 1], [2]], [1]), {}, r"source\[0\] is \[0, 1\]: give one value"),
        (([0, 1], [1, (2,)]), {}, r"target\[1\] is \(2,\): give one value"),
        (([0], [1], [np.nan]), {}, r"weight\[0\] is nan"),
        (([0], [1], [np.inf]), {}, r"weight\[0\] is inf"),
        (([0], [1], ["heavy"]), {}, "weight must hold integers or floats"),
        (([0], [1]), {"merge": "max"}, "merge must be 'keep', 'min' or 'sum', not 'max'"),
        (([0], [1]), {"labels": ["a"]}, "labels has 1 entry for 2 vertices"),
        (([0], [1]), {"labels": [[1, 2], [3]]}, r"labels must be one-dimensional, and labels\[0\]"),
    ],
)
def test_wrong_edges(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        wp.Graph.from_edges(*arguments, **options)


def test_labels_that_are_one_number():
    with pytest.raises(TypeError, match="expected labels as an array or a sequence, not int"):
        wp.Graph.from_edges([0], [1], labels=2)


@pytest.mark.parametrize("labels", [{"a", "b"}, frozenset("ab"), {0: "a", 1: "b"}])
def test_labels_without_an_order(labels):
    with pytest.raises(TypeError, match="expected labels as an array or a sequence, not "):
        wp.Graph.from_edges([0], [1], labels=labels)


@pytest.mark.parametrize(
    "labels",
    [["a\0", "a"], [2**60 + 1, 0.5], [2**63, -1], [b"a", "a"], [1, "1"], [(1,), (2, 3)], "ab"],
)
def test_labels_stay_as_they_are(labels):
    graph = wp.Graph.from_edges([0], [1], labels=labels)
    assert graph.labels.tolist() == list(labels)
    assert list(map(type, graph.labels.tolist())) == list(map(type, labels))
    assert wp.bfs(graph, labels[0]).path(labels[1]) == list(labels)


def test_overflowing_weights():
    with pytest.raises(OverflowError, match=r"weight\[0\] is 9223372036854775808"):
        wp.Graph.from_edges([0], [1], np.array([2**63], np.uint64))
    with pytest.raises(OverflowError, match="exceeds 64 bits"):
        wp.Graph.from_edges([0, 0], [1, 1], [2**62, 2**62], merge="sum")


def test_csr_is_wrapped_without_a_copy():
    offsets, indices = np.array([0, 2, 2, 3], np.int32), np.array([1, 2, 0], np.int32)
    weights = np.array([1.0, 2.0, 3.0])
    graph = wp.Graph.from_csr(offsets, indices, weights)
    assert np.shares_memory(graph.row_offsets, offsets)
    assert np.shares_memory(graph.column_indices, indices)
    assert np.shares_memory(graph.weights, weights)
    assert offsets.flags.writeable  # the caller's own arrays are left alone


def test_csr_of_other_dtypes_and_unsorted_rows():
    graph = wp.Graph.from_csr(np.array([0, 3, 4], np.uint64), [1, 0, 1, 0], [7, 8, 9, 1])
    assert graph.row_offsets.dtype == np.int32
    assert arcs_of(graph) == [(0, 0, 8), (0, 1, 7), (0, 1, 9), (1, 0, 1)]
    assert graph.column_indices.tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), "row_offsets must be a non-empty integer array"),
        (([0.0, 1.0], [0]), "row_offsets must be a non-empty integer array"),
        (([1, 1], [0]), "from 0 to 1, .*not from 1 to 1"),
        (([0, 2], [0]), "from 0 to 1, .*not from 0 to 2"),
        (([0, 3, 1, 3], [0, 1, 2]), "row_offsets descends at 1: 3 to 1"),
        (([0, 1], [1]), r"column_indices\[0\] is 1, but the graph has 1 vertex"),
        (([0, 1], [-1]), r"column_indices\[0\] is -1"),
        (([0, 1], [0], [1, 2]), "weights has 2 entries for 1 arc"),
        (([0, 1], [0], [np.nan]), r"weights\[0\] is nan"),
    ],
)
def test_wrong_csr(arguments, message):
    with pytest.raises(ValueError, match=message):
        wp.Graph.from_csr(*arguments)


@pytest.mark.parametrize(
    ("arguments", "which"),
    [
        (([0, 1, 1], [1]), "0 → 1 .* has no reverse;"),
        (([0, 0, 1], [0]), "1 → 0 .* has no reverse;"),
        (([0, 1, 3, 3], [1, 0, 2]), "1 → 2 .* has no reverse;"),
        (([0, 1, 2, 3], [1, 0, 1]), "2 → 1 .* has no reverse;"),
        (([0, 1, 2], [1, 0], [3, 4]), "0 → 1 .* has no reverse of weight 3;"),
        # of two parallel arcs one differs
        (([0, 2, 4], [1, 1, 0, 0], [3, 4, 3, 5]), "0 → 1 .* has no reverse of weight 4;"),
        (([0, 2, 3], [1, 1, 0]), "0 → 1 .* has no reverse;"),  # two there, one back
    ],
)
def test_asymmetric_csr_is_not_undirected(arguments, which):
    with pytest.raises(ValueError, match=f"directed=False, but the arc {which} pass directed=True"):
        wp.Graph.from_csr(*arguments, directed=False)


def test_parallel_edges_may_come_in_another_order_on_the_way_back():
    graph = wp.Graph.from_csr([0, 2, 4], [1, 1, 0, 0], [3, 4, 4, 3], directed=False)
    assert graph.num_edges == 2


@pytest.mark.parametrize("options", [{}, {"directed": False}, {"drop_self_loops": True}])
@pytest.mark.parametrize("named", [False, True])
def test_edge_ids(options, named):
    rng = np.random.default_rng(7)
    ends = rng.integers(0, 12, (2, 200))  # parallel edges and self-loops
    ends = [[f"v{v}" for v in row] for row in ends.tolist()] if named else ends.tolist()
    weights = rng.permutation(200)
    graph = wp.Graph.from_edges(*ends, weights, edge_ids=True, **options)
    names = np.arange(12) if graph.labels is None else graph.labels
    source, target, weight = graph.coo()
    for u, v, w, row in zip(names[source], names[target], weight, graph.edge_ids, strict=True):
        assert weights[row] == w
        pair = (ends[0][row], ends[1][row])
        assert pair == (u, v) or (not graph.directed and pair == (v, u))
    assert np.array_equal(graph.with_weights(weights, order="edges").weights, weight)
    for other in (graph.without_weights(), graph.without_labels(), copy.deepcopy(graph)):
        assert np.array_equal(other.edge_ids, graph.edge_ids)
    source, target, weight = graph.reverse.coo()
    for u, v, w, row in zip(
        names[target], names[source], weight, graph.reverse.edge_ids, strict=True
    ):
        assert weights[row] == w
        assert (ends[0][row], ends[1][row]) == (u, v) or not graph.directed
    assert graph.reverse.without_labels().edge_ids is not None
    part = graph.subgraph(names[:5].tolist())
    assert np.array_equal(weights[part.edge_ids], part.weights)


def test_edge_ids_that_cannot_be():
    ends = [0, 0, 1], [1, 1, 2]
    graph = wp.Graph.from_edges(*ends, [5, 4, 3])
    assert graph.edge_ids is None
    for wrong in ({"merge": "min"}, {"symmetrize": True}, {"device": "cuda"}):
        with pytest.raises(ValueError, match="edge_ids=True is for"):
            wp.Graph.from_edges(*ends, edge_ids=True, **wrong)
    for ask in (
        lambda: graph.path_edges([0, 1]),
        lambda: graph.with_weights([1, 2, 3], order="edges"),
    ):
        with pytest.raises(ValueError, match="no edge ids: make it with edge_ids=True"):
            ask()
    graph = wp.Graph.from_edges(*ends, [5, 4, 3], edge_ids=True)
    with pytest.raises(ValueError, match="weights has 2 entries for 3 edges"):
        graph.with_weights([1, 2], order="edges")
    with pytest.raises(ValueError, match="order must be 'arcs' or 'edges', not 'rows'"):
        graph.with_weights([1, 2, 3], order="rows")
    with pytest.raises(ValueError, match="no edge leads from 1 to 0"):
        graph.path_edges([1, 0])
    assert graph.path_edges([0, 1, 2]) == [1, 2]
    assert graph.path_edges([0, 1, 2], heaviest=True) == [0, 2]
    assert graph.path_edges([0]) == graph.path_edges([]) == []


@pytest.mark.filterwarnings("error")
def test_the_mean_of_weights_whose_sum_is_no_float64():
    graph = wp.Graph.from_edges([0, 1], [1, 2], [1e308, 1.5e308])
    assert graph.mean_weight == pytest.approx(1.25e308)
