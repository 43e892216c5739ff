import copy
import pickle

import numpy as np
import pytest

import warpath as wp
from small_graphs import assert_same_graph


def test_a_graph_cannot_be_changed(small):
    small.reverse  # noqa: B018 (built now)
    for array in (*small.coo()[1:], small.row_offsets, small.reverse.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        small.neighbors(0)[0] = 1
    for name in ("weights", "directed", "row_offsets", "colour"):
        with pytest.raises(AttributeError, match=f"immutable: cannot set '{name}'"):
            setattr(small, name, None)


def test_labels_are_kept():
    graph = wp.Graph.from_edges([0, 1], [1, 2], labels=np.array(["a", "b", "c"]))
    assert graph.labels.tolist() == ["a", "b", "c"]
    assert graph.reverse.labels.tolist() == ["a", "b", "c"]
    assert graph.without_weights().labels.tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="read-only"):
        graph.labels[0] = "z"


@pytest.mark.parametrize("change", [pickle.dumps, copy.copy, copy.deepcopy])
def test_copies_and_pickles(change, small):
    small.reverse  # noqa: B018 (it must not travel along)
    changed = change(small)
    other = pickle.loads(changed) if isinstance(changed, bytes) else changed
    assert_same_graph(other, small)
    assert other.weights.dtype == small.weights.dtype
    assert_same_graph(other.reverse, small.reverse)
    assert other.reverse is not small.reverse
    with pytest.raises(ValueError, match="read-only"):
        other.weights[0] = 1
    if isinstance(changed, bytes):
        assert len(changed) < len(pickle.dumps(small.without_weights())) + 200


def test_nbytes(small):
    # n = 4, m = 5, int32 weights; rows of a dense matrix are padded to 128 bytes.
    assert small.nbytes == {"csr": 60, "reverse": 60, "coo": 60, "dense": 512}
    assert small.without_weights().nbytes == {"csr": 40, "reverse": 40, "coo": 40, "dense": 512}
    wide = small.with_weights(np.ones(5))
    assert wide.nbytes == {"csr": 80, "reverse": 80, "coo": 80, "dense": 512}
    undirected = wp.Graph.from_edges([0], [1], directed=False)
    assert undirected.nbytes["reverse"] == 0
    for graph in (small, wide):
        arrays = (graph.row_offsets, graph.column_indices, graph.weights)
        assert graph.nbytes["csr"] == sum(a.nbytes for a in arrays)
        assert graph.nbytes["coo"] == sum(a.nbytes for a in graph.coo())
        assert graph.nbytes["dense"] == graph.dense().padded.nbytes


def test_repr(small):
    assert repr(small) == "<Graph: 4 vertices, 5 edges, directed, int32 weights>"
    other = wp.Graph.from_edges([0, 1], [1, 1], n=1000, directed=False)
    assert repr(other) == "<Graph: 1,000 vertices, 2 edges, undirected, no weights>"
