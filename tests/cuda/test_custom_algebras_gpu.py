"""Algebras of users' own on a device: plain Python's answer and the CPU's, to the bit."""

import numpy as np
import pytest

import warpath as wp
from custom_algebras import CASES
from oracles import SHAPES, some_vertices
from warpath.planning.methods import METHODS as ALL_METHODS

pytestmark = pytest.mark.gpu
METHODS = [name for name, one in ALL_METHODS.items() if "cuda" in one.devices and not one.only_adds]


def check(case, graph, sources, **options):
    paths = wp.sssp(
        graph, sources, algebra=case.algebra, dtype=case.dtype, device="cuda", **options
    )
    paths.verify()
    rows = np.atleast_2d(paths.to_numpy().distance)
    for source, row in zip(np.atleast_1d(sources).tolist(), rows, strict=True):
        assert row.tobytes() == case.answer(graph, [source]).tobytes()


@pytest.mark.parametrize("name", CASES)
def test_every_graph(name):
    case = CASES[name]
    for graph in (case.graph(one) for one in SHAPES):
        for source in some_vertices(graph):
            check(case, graph, source)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["toll", "capped", "reliable"])
def test_every_method(name, method):
    for shape in ("grid", "uniform, directed"):
        for loop in ("device", "host"):
            check(
                CASES[name],
                CASES[name].graph(shape),
                0,
                method=method,
                schedule=wp.Schedule(loop=loop),
            )


@pytest.mark.parametrize("name", ["toll", "capped", "reliable"])
def test_edges_that_offer_much_are_left_out_for_a_while(name):
    case = CASES[name]
    for shape in ("grid", "karate", "power law"):
        for delta in (None, 1):
            schedule = wp.Schedule(path_limit="on", delta=delta)
            check(case, case.graph(shape), 0, method="delta-stepping", schedule=schedule)


@pytest.mark.parametrize("name", CASES)
def test_several_sources(name):
    check(CASES[name], CASES[name].graph("grid"), [0, 5, 2])


def test_what_does_not_fit_is_an_error():
    graph = wp.generate.grid(1, 40, weights=(4, 6), seed=1)
    double = wp.Algebra(lambda d, w: (d + 1) * w)
    with pytest.raises(OverflowError, match="exceeds int32"):
        wp.sssp(graph, 0, algebra=double, dtype=np.int32, device="cuda")
