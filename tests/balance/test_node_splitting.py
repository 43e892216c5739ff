"""Node splitting: the split graph and the knobs."""

import numpy as np
import pytest

from balance_inputs import HostGraph
from warpath import balance
from warpath.balance.node_splitting import NodeSplitting, split


@pytest.mark.parametrize("most", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(("dtype", "first_arc"), [(np.uint32, 0), (np.uint64, 2**35)])
def test_nodes_share_their_vertex_s_arcs_evenly(dtype, first_arc, most):
    degrees = np.r_[0, np.random.default_rng(1).integers(0, 20, 50), 0, 300, 0]
    row_offsets = (first_arc + np.r_[0, degrees.cumsum()]).astype(dtype)
    offsets, first, vertex = split(np, row_offsets, most)
    assert offsets.dtype == dtype
    assert first.dtype == vertex.dtype == np.uint32
    for v, degree in enumerate(degrees):
        nodes = np.arange(first[v], first[v + 1])
        assert len(nodes) == -(-degree // most)
        assert (vertex[nodes] == v).all()
        if len(nodes) == 0:
            continue
        assert offsets[nodes[0]] == row_offsets[v]
        assert offsets[nodes[-1] + 1] == row_offsets[v + 1]
        arcs = offsets[nodes + 1].astype(int) - offsets[nodes].astype(int)
        assert arcs.max() <= most
        assert arcs.max() - arcs.min() <= 1


def test_a_graph_without_arcs():
    offsets, first, vertex = split(np, np.zeros(4, np.uint32), 5)
    assert offsets.tolist() == [0]
    assert first.tolist() == [0, 0, 0, 0]
    assert vertex.tolist() == []


def test_the_threshold_is_the_knob_or_the_histogram_s():
    graph = HostGraph(np.r_[0, np.cumsum([1, 3, 3, 4, 4, 10])].astype(np.uint32))
    given = balance.lookup("node-splitting:MDT=4").temp_storage(np, graph)
    assert len(given.prepared[2]) == 8
    assert given.workspace == 4 * 8
    found = NodeSplitting().temp_storage(np, graph)  # of ten ranges, 3 and 4 have two vertices each
    assert len(found.prepared[2]) == 1 + 1 + 1 + 2 + 2 + 4


def test_bins_are_for_the_histogram():
    with pytest.raises(ValueError, match="bins is for MDT=0, not 16"):
        balance.lookup("node-splitting:MDT=16,bins=10")


def test_the_kernel_knows_the_threshold_at_run_time():
    assert {variant.kernel for variant in NodeSplitting.variants()} == {"NodeSplitting"}


def test_too_many_nodes_are_refused():
    with pytest.raises(OverflowError, match=r"nodes of at most 1 arcs; choose a larger MDT"):
        split(np, np.array([0, 2**33], np.uint64), 1)
