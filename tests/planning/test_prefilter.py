"""Whether a GPU looks up bits before distances."""

from dataclasses import dataclass

import numpy as np
import pytest

import warpath as wp
from warpath.planning.prefilter import of_relaxation

INT32, FLOAT64 = np.dtype(np.int32), np.dtype(np.float64)


@dataclass
class Large:
    """What the rule looks at."""

    num_vertices: int
    num_arcs: int


def chosen(vertices, dtype=INT32, *, degree=32, method="delta-stepping", **options):
    options = {"asynchronous": False} | options
    return of_relaxation(Large(vertices, degree * vertices), method, dtype, **options)


def test_it_is_for_many_vertices():
    assert chosen(2**16) == "off"
    assert chosen(2**18) == "on"


def test_between_asynchronous_blocks_it_is_for_distances_that_l2_cannot_hold():
    assert chosen(2**23, asynchronous=True) == "off"
    assert chosen(2**24, asynchronous=True) == "on"
    assert chosen(2**23, FLOAT64, asynchronous=True) == "on"


def test_it_is_for_delta_stepping_of_many_edges():
    assert chosen(2**27, method="workfront-sweep") == "off"
    assert chosen(2**27, degree=4) == "off"


def test_what_is_asked_for_is_in_the_plan():
    graph = wp.generate.rmat(6, 8, seed=1, weights=(1, 9))
    for asked in ("on", "off"):
        plan = wp.plan(
            graph, "sssp", 0, method="delta-stepping", device="cuda", schedule=f"prefilter={asked}"
        )
        assert plan.schedule.prefilter == asked
    with pytest.raises(
        ValueError, match="prefilter='on' is for method delta-stepping, not for 'h-bf'"
    ):
        wp.plan(graph, "sssp", 0, method="h-bf", device="cuda", schedule="prefilter=on")
