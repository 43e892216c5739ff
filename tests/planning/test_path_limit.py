"""Whether a GPU leaves out edges that offer much."""

from dataclasses import dataclass

import pytest

import warpath as wp
from warpath.operators import lookup
from warpath.planning import path_limit
from warpath.planning.bucket_width import as_width
from warpath.planning.path_limit import of_relaxation, refused

FLAT = wp.Algebra(lambda d, w: d + w - w)  # an edge of any weight changes nothing


@dataclass
class Large:
    """What the rule looks at."""

    num_vertices: int
    num_arcs: int
    directed: bool = False


def chosen(arcs, *, degree=32, directed=False, method="delta-stepping"):
    graph, algebra = Large(arcs // degree, arcs, directed), lookup("shortest")
    return of_relaxation(graph, refused(graph, method, algebra, as_width(1, 1)))


def test_it_is_for_many_edges():
    assert chosen(2**24) == "off"
    assert chosen(2**25) == "on"


def test_it_is_for_delta_stepping_of_undirected_graphs():
    assert chosen(2**30, directed=True) == "off"
    assert chosen(2**30, degree=4) == "off"
    assert chosen(2**30, method="near-far") == "off"


def test_algebras_of_ones_own_have_it_too(monkeypatch):
    monkeypatch.setattr(path_limit, "_MANY_ARCS", 0)
    graph = wp.generate.rmat(6, 16, seed=1, weights=(1, 9))
    for algebra, expected in ((wp.Algebra(lambda d, w: d + w + 1), "on"), (FLAT, "off")):
        plan = wp.plan(graph, "sssp", 0, algebra=algebra, device="cuda")
        assert plan.schedule.path_limit == expected


def test_what_is_asked_for_is_in_the_plan():
    graph = wp.generate.rmat(6, 8, seed=1, weights=(1, 9))
    how = {"method": "delta-stepping", "device": "cuda"}
    for asked in ("on", "off"):
        plan = wp.plan(graph, "sssp", 0, schedule=f"path_limit={asked}", **how)
        assert plan.schedule.path_limit == asked
    own = {"algebra": wp.Algebra(lambda d, w: d + w + 1), **how}
    assert wp.plan(graph, "sssp", 0, schedule="path_limit=on", **own).schedule.path_limit == "on"
    assert wp.plan(graph, "sssp", 0, **own).schedule.path_limit == "off"
    # It leaves few edges whose ends are looked up.
    assert wp.plan(graph, "sssp", 0, schedule="path_limit=on", **how).schedule.prefilter == "off"
    both = wp.plan(graph, "sssp", 0, schedule="path_limit=on,prefilter=on", **how)
    assert both.schedule.prefilter == both.schedule.path_limit == "on"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"method": "h-bf"}, "is for method delta-stepping, not for 'h-bf'"),
        (
            {"algebra": "widest"},
            "is for sums of weights, and for algebras of one's own, not for algebra 'widest'",
        ),
        ({"algebra": FLAT}, "is for algebras in which most edges make a path worse"),
        ({"directed": True}, "is for undirected graphs, where each edge has its reverse"),
    ],
)
def test_what_cannot_have_it_says_so(options, why):
    graph = wp.generate.rmat(6, 8, directed=options.pop("directed", False), seed=1, weights=(1, 9))
    options = {"method": "delta-stepping"} | options
    with pytest.raises(ValueError, match=f"path_limit='on' {why}"):
        wp.plan(graph, "sssp", 0, device="cuda", schedule="path_limit=on", **options)
