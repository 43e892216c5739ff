"""How a graph is cut into parts: every vertex is in one, and each has its share of the arcs."""

import numpy as np
import pytest

import warpath as wp
from distributed_cases import GRAPHS
from thread_ranks import answers_on
from warpath import devices
from warpath.distributed.context import current
from warpath.distributed.partition import balanced_bounds
from warpath.planning.parts import (
    VERTICES_TOGETHER,
    blocks,
    equal_loads,
    group_shift,
    loads_together,
    sizes_together,
)

DIRECTED = wp.generate.rmat(12, directed=True, weights=(1, 9), seed=1)


@pytest.mark.parametrize("name", ["one vertex", "no arcs", "star", "hub", "power law, directed"])
@pytest.mark.parametrize("parts", [1, 4])
def test_blocks_have_all_vertices_and_arcs(name, parts):
    graph = GRAPHS[name]()
    found = blocks(graph, parts)
    assert (found.bounds[0], found.bounds[-1]) == (0, graph.num_vertices)
    assert np.diff(found.bounds).min() >= 0
    for each, arcs in ((graph, found.arcs), (graph.reverse, found.reverse_arcs)):
        assert np.diff(each.row_offsets[list(found.bounds)]).tolist() == list(arcs)


def test_parts_have_about_the_same_load():
    found = blocks(DIRECTED, 4)
    load = np.add(found.arcs, found.reverse_arcs) + np.diff(found.bounds)
    assert load.max() < 1.05 * load.mean()


def test_ranks_that_draw_their_arcs_cut_the_same():
    source, target, _ = DIRECTED.coo()

    def bounds(rank, transport):
        mine = slice(rank, None, 3)
        return balanced_bounds(transport, DIRECTED.num_vertices, [source[mine], target[mine]])

    for found in answers_on(3, lambda: bounds(current().rank, current())):
        assert found.tolist() == list(blocks(DIRECTED, 3, VERTICES_TOGETHER).bounds)


def test_vertices_are_together_unless_a_part_grew_much():
    even = np.full(1000, 8)
    assert loads_together(even, 1000, 3).tolist() == [0, 320, 672, 1000]
    assert loads_together(even[:40], 40, 3).tolist() == equal_loads(even[:40], 40, 3).tolist()
    steep = 2 ** np.arange(40)[::-1] + np.zeros(40, np.int64)
    assert loads_together(steep, 40, 3).tolist() == equal_loads(steep, 40, 3).tolist()
    assert loads_together(even[:0], 0, 2).tolist() == [0, 0, 0]
    assert sizes_together(np.array([0, 340, 670, 1000])).tolist() == [0, 352, 672, 1000]
    assert sizes_together(np.array([0, 3, 7, 10])).tolist() == [0, 3, 7, 10]


def test_vertices_of_large_graphs_are_counted_in_groups():
    n = 2**20 - 5
    assert group_shift(n) == 4
    ends = np.zeros(2**16, np.int64)
    ends[-1] = 10 * n  # a hub among the last vertices
    assert equal_loads(ends, n, 3).tolist() == [0, n - 11, n, n]


def test_a_plan_for_gpus_of_another_machine(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "no GPU")
    for asked, numbers in ((3, [0, 1, 2]), ([99, 2], [99, 2])):
        plan = wp.plan(DIRECTED, "bfs", 0, devices=asked)
        assert [one.device for one in plan.parts] == numbers
    for asked, message in ((0, "at least one GPU"), ([], "from 0"), ([0, -1], "from 0")):
        with pytest.raises(ValueError, match=message):
            wp.plan(DIRECTED, "bfs", 0, devices=asked)
    with pytest.raises(wp.DeviceUnavailableError, match="no GPU"):
        wp.bfs(DIRECTED, 0, devices=3)
