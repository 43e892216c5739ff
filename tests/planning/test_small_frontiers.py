"""What expands small frontiers."""

import pytest

import warpath as wp
from warpath.planning import small_frontiers
from warpath.planning.small_frontiers import of_operator, of_relaxation
from warpath.schedule import schedule_for

SPARSE = wp.generate.grid(20, 20)
DENSE = wp.generate.rmat(8, edge_factor=16, seed=1)


@pytest.mark.parametrize(
    ("schedule", "chosen"),
    [
        (None, "off"),
        ("merge-path", "off"),
        ("direction=bottom-up", "off"),
        ("direction=bottom-up,small_frontiers=off", "off"),
        ("small_frontiers=async", "async"),
        ("merge-path,small_frontiers=block", "block"),
    ],
)
def test_of_operators_where_degrees_are_high(schedule, chosen):
    how = schedule_for("traverse", schedule)
    assert of_operator(DENSE, how, has_steps=True, limited=False) == chosen


@pytest.mark.parametrize(
    ("schedule", "translated", "chosen"),
    [
        (None, True, "cluster"),
        (None, False, "off"),
        ("merge-path", True, "off"),
        ("direction=bottom-up", True, "off"),
        ("small_frontiers=off", True, "off"),
    ],
)
def test_of_operators_where_degrees_are_low(schedule, translated, chosen):
    how = schedule_for("traverse", schedule)
    found = of_operator(SPARSE, how, has_steps=True, limited=False, translated=translated)
    assert found == chosen


@pytest.mark.parametrize(
    ("schedule", "has_steps", "limited", "message"),
    [
        ("small_frontiers=async", False, False, "is for an operator that ends with"),
        ("small_frontiers=async", True, True, "without max_iterations"),
        (
            "dynamic-virtual-warp:dynamic_parallelism=1024,small_frontiers=async",
            True,
            False,
            "which launches child grids",
        ),
        (
            "direction=bottom-up,small_frontiers=cluster",
            True,
            False,
            "not for direction='bottom-up'",
        ),
    ],
)
def test_what_an_operator_cannot_have(schedule, has_steps, limited, message):
    how = schedule_for("traverse", schedule)
    with pytest.raises(ValueError, match=message):
        of_operator(SPARSE, how, has_steps=has_steps, limited=limited)


def test_a_body_in_cuda_is_for_the_grid():
    how = schedule_for("traverse", "small_frontiers=cluster")
    with pytest.raises(ValueError, match="is for operators in Python"):
        of_operator(SPARSE, how, has_steps=False, limited=False, translated=False)


@pytest.mark.parametrize(
    ("graph", "arcs", "packs_tree", "chosen"),
    [
        (wp.generate.erdos_renyi(2**15, 2**18, seed=1), 2**19, True, "off"),
        (wp.generate.erdos_renyi(2**15, 2**18, seed=1), 2**19, False, "async"),
        (wp.generate.erdos_renyi(2**15, 2**18, seed=1), 2**19 + 1, True, "async"),
        (wp.generate.erdos_renyi(2**14, 2**18, seed=1), 2**19, True, "async"),  # too small to tell
        (wp.generate.mesh((33, 33, 33), 26), 2**19, True, "async"),
        (wp.generate.grid(200), 100, True, "async"),
    ],
)
def test_predecessors_of_many_edges_need_no_sweep_but_on_meshes(
    monkeypatch, graph, arcs, packs_tree, chosen
):
    monkeypatch.setattr(small_frontiers, "_MANY_ARCS", arcs)
    found = of_relaxation(graph, "delta-stepping", "device", None, packs_tree=packs_tree)
    assert found == chosen
