"""What expands small frontiers."""

import pytest

import warpath as wp
from warpath.planning.small_frontiers import of_operator
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
