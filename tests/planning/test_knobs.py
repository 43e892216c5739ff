"""Knobs by the degrees of a graph."""

import numpy as np
import pytest

import warpath as wp
from warpath.balance import lookup
from warpath.planning import knobs
from warpath.planning.fitted_balance import fitted


def of_degrees(degrees):
    """A graph whose vertices have these out-degrees."""
    degrees = np.asarray(degrees, np.int64)
    source = np.repeat(np.arange(len(degrees)), degrees)
    return wp.Graph.from_edges(source, np.zeros(len(source), np.int32), n=len(degrees))


def test_counts_of_degrees():
    assert knobs.degree_counts(of_degrees([2, 0, 2, 5])).tolist() == [1, 0, 2, 0, 0, 1]
    assert knobs.degree_counts(of_degrees([])).tolist() == [0]


@pytest.mark.parametrize(("degree", "width"), [(1, 2), (2, 2), (16, 8), (256, 32)])
def test_the_width_grows_with_the_degree(degree, width):
    assert knobs.width(of_degrees([degree] * 20_000)) == width


def test_a_hub_keeps_one_warp_busy_so_that_warps_are_wide():
    few = [2] * 20_000
    assert knobs.width(of_degrees(few)) == 2
    assert knobs.width(of_degrees([*few, 50_000])) == 32
    assert knobs.width(wp.generate.rmat(14, 16, seed=1)) > knobs.width(wp.generate.grid(120))


def test_a_graph_without_edges_has_a_width():
    assert knobs.width(of_degrees([0, 0])) in knobs.WIDTHS
    assert knobs.child_grid_threshold(of_degrees([])) == 0


def steps(degrees, width):
    """What warps take for vertices in this order, by the model's rule, without a start."""
    rows = -(-np.asarray(degrees) // width)
    return sum(rows[i : i + 32 // width].max() for i in range(0, len(rows), 32 // width))


def test_the_model_is_the_mean_over_random_orders():
    rng = np.random.default_rng(1)
    degrees = rng.geometric(0.05, 64_000)
    counts = np.bincount(degrees).astype(float)
    for width in knobs.WIDTHS:
        expected = knobs._steps(counts, width)
        own = steps(rng.permutation(degrees), width) + knobs._START * len(degrees) * width / 32
        assert expected == pytest.approx(
            own / knobs._RESIDENT_WARPS - (-degrees.max() // width), rel=0.02
        )


@pytest.mark.parametrize(
    ("degrees", "threshold"),
    [
        ([3] * 1000, 0),  # no hub
        ([3] * 1000 + [2000], 1024),
        ([3] * 10_000 + [2000] * 3000, 0),  # more than the device has places, and none above 4,096
        ([3] * 10_000 + [2000] * 3000 + [5000], 4096),
        ([30_000] * 2100 + [1], 16384),
        ([1500, 1600, 1700], 0),  # none is far from the mean
    ],
    ids=str,
)
def test_child_grids_are_for_few_vertices_far_above_the_mean(degrees, threshold):
    assert knobs._threshold(np.bincount(degrees)) == threshold
    if sum(degrees) < 10**7:
        assert knobs.child_grid_threshold(of_degrees(degrees)) == threshold


def test_auto_knobs_get_a_value_before_there_is_a_kernel():
    hub = of_degrees([2] * 1000 + [3000])
    for given, found in (
        (
            "virtual-warp:width=auto,warp_workload=32",
            f"virtual-warp:width={knobs.width(hub)},warp_workload=32",
        ),
        (
            "dynamic-virtual-warp:dynamic_parallelism=auto",
            "dynamic-virtual-warp:dynamic_parallelism=1024",
        ),
    ):
        assert lookup(given).adapts
        assert fitted(lookup(given), hub) == lookup(found)
    for given in ("virtual-warp:width=16", "dynamic-virtual-warp:dynamic_parallelism=4096"):
        assert fitted(lookup(given), hub) is lookup(given)


def test_plans_show_the_value():
    graph = wp.generate.grid(300)
    plan = wp.plan(
        graph, "bfs", 0, device="cuda", schedule="virtual-warp:width=auto,direction=top-down"
    )
    assert plan.schedule.balance == "virtual-warp:width=2"
    none = wp.plan(
        graph,
        "sssp",
        0,
        device="cuda",
        method="h-bf",
        schedule="dynamic-virtual-warp:dynamic_parallelism=auto",
    )
    assert none.schedule.balance == "dynamic-virtual-warp"
