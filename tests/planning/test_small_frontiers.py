"""Who expands small frontiers."""

import pytest

import warpath as wp
from warpath.planning.small_frontiers import of_operator
from warpath.schedule import schedule_for

SPARSE, DENSE = wp.generate.grid(20), wp.generate.rmat(8, 16)


@pytest.mark.parametrize(
    ("graph", "schedule", "has_steps", "limited", "chosen"),
    [
        (SPARSE, None, True, False, "async"),
        (SPARSE, None, True, True, "cluster"),
        (SPARSE, None, False, False, "cluster"),
        (DENSE, None, True, False, "off"),
        (SPARSE, "merge-path", True, False, "off"),
        (SPARSE, "direction=bottom-up", True, False, "off"),
        (DENSE, "small_frontiers=async", True, False, "async"),
        (SPARSE, "merge-path,small_frontiers=block", True, False, "block"),
        (SPARSE, "direction=bottom-up,small_frontiers=off", True, False, "off"),
    ],
)
def test_of_operators(graph, schedule, has_steps, limited, chosen):
    how = schedule_for("traverse", schedule)
    assert of_operator(graph, how, has_steps=has_steps, limited=limited) == chosen


@pytest.mark.parametrize(
    ("schedule", "has_steps", "limited", "message"),
    [
        ("small_frontiers=async", False, False, "is for an operator that ends with"),
        ("small_frontiers=async", True, True, "without max_iterations"),
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
