"""Edges in batches: the graph that `Graph.from_edges` makes of all at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph.batches import EdgeBatches
from warpath.graph.graph import Graph


def graph_of(batches, *, compact=None, n=None, directed=True):
    edges = EdgeBatches()
    for batch in batches:
        edges.add(*batch)
    n, labels = edges.number(compact=compact, n=n)
    return Graph._from_parts(*edges.csr(n, mirror=not directed), directed, labels)


IDS = {
    "dense": np.arange(6),
    "sparse": np.array([0, 3, 7, 900, 2**31 - 2, 5]),
    "large": np.array([0, 3, 2**31 - 1, 2**40, 2**63 - 1, 1]),
    "negative": np.array([-5, 3, 0, 2**40, -(2**63), 1]),
    "gap": np.array([1, 2, 3, 4, 5, 7]),
}


@pytest.mark.parametrize("kind", IDS)
@given(
    sizes=st.lists(st.integers(0, 8), min_size=1, max_size=4),
    seed=st.integers(0, 99),
    directed=st.booleans(),
    dtype=st.sampled_from(["i4", "i8", "f8", None]),
)
def test_as_all_at_once(kind, sizes, seed, directed, dtype):
    rng = np.random.default_rng(seed)
    batches = []
    for size in sizes:
        ends = IDS[kind][
            rng.integers(0, 6 if len(batches) else 2, (2, size))
        ]  # odd ones come later
        weight = None if dtype is None else rng.integers(0, 9, size).astype(dtype)
        batches.append((*ends, *([] if weight is None else [weight])))
    columns = [np.concatenate(column) for column in zip(*batches, strict=True)]
    wanted = Graph.from_edges(*columns, compact=True, directed=directed)
    found = graph_of(batches, compact=True, directed=directed)
    for a, b in zip(found.resident, wanted.resident, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a is None or a.dtype == b.dtype
    np.testing.assert_array_equal(found.labels, wanted.labels)


def test_ids_that_are_numbers():
    graph = graph_of([(np.array([0, 4]), np.array([1, 2]))], n=9)
    assert (graph.num_vertices, graph.labels) == (9, None)
    large = [(np.array([0]), np.array([1])), (np.array([7]), np.array([2**31 - 1]))]
    assert graph_of(large).labels.tolist() == [0, 1, 7, 2**31 - 1]


@pytest.mark.parametrize(
    ("batches", "options", "message"),
    [
        ([([0], [1]), ([3], [-2])], {}, r"target\[1\] is -2: vertex ids are 0 or more"),
        ([([0, 1], [2**40, 1])], {"compact": False}, "id 1099511627776 is larger than 2147483646"),
        ([([0], [1]), ([9], [1])], {"n": 9}, r"source\[1\] is 9, but the graph has 9 vertices"),
        ([([0], [2**40])], {"n": 9}, r"target\[0\] is 1099511627776, but the graph has 9"),
        ([([0], [1])], {"n": 9, "compact": True}, "n=9 is for ids that are vertex numbers"),
        ([([0], [1]), ([0], [1], np.ones(1))], {}, "some edges have weights, and others none"),
        ([(np.array([2**63], np.uint64), [1])], {}, "must be below 2⁶³, or text"),
    ],
)
def test_refused(batches, options, message):
    batches = [(*map(np.asarray, batch[:2]), *batch[2:]) for batch in batches]
    with pytest.raises(ValueError, match=message):
        graph_of(batches, **options)


def test_weights_of_several_dtypes():
    parts = [np.array([3], np.int32), np.array([2**40]), np.array([0.5])]
    ends = np.array([0]), np.array([1])
    assert graph_of([(*ends, w) for w in parts[:2]]).weights.tolist() == [3, 2**40]
    graph = graph_of([(*ends, w) for w in parts])
    assert (graph.weights.dtype, graph.weights.tolist()) == (np.float64, [3.0, 2.0**40, 0.5])


def test_what_was_given_may_be_written():
    ends = np.array([0, 1], np.int32), np.array([1, 2], np.int32)
    edges = EdgeBatches()
    edges.add(*ends)
    ends[1][:] = 0
    assert edges.csr(3, mirror=False)[1].tolist() == [1, 2]


def test_text_and_integers():
    edges = EdgeBatches()
    edges.add(edges.text.of(["a"]), edges.text.of(["b"]), named=True)
    with pytest.raises(ValueError, match="must be all integers or all text"):
        edges.add(np.array([0]), np.array([1]))
    with pytest.raises(ValueError, match="must hold integer vertex ids"):
        edges.number(compact=False, n=None)


def test_sparse_ids_are_warned_of_where_n_is_made_of_them():
    edges = EdgeBatches()
    edges.add(np.array([5]), np.array([50_000_001]))
    with pytest.warns(UserWarning, match="50,000,002 vertices for 1 edge, as the largest id is 50000001"):  # fmt: skip
        edges.number(compact=None, n=None)
    edges.number(compact=None, n=50_000_002)
    edges.number(compact=False, n=None)
