"""Which technique suits a graph, where none is named."""

import pytest

import warpath as wp
from warpath.balance import DEFAULT, lookup
from warpath.planning.fitted_balance import fitted

GRID = wp.generate.grid(20)


def test_threads_gather_along_few_edges_of_each_vertex():
    balance = fitted(None, GRID, gathers=True)
    assert (balance.name, balance.degrees) == ("auto", "regular")


@pytest.mark.parametrize(
    ("graph", "how"),
    [
        (GRID, {}),  # a frontier is any of the vertices
        (GRID, {"gathers": True, "out_of_core": True}),  # lanes read consecutive columns
        (wp.generate.rmat(8, 2, seed=1), {"gathers": True}),  # degrees differ
        (wp.generate.erdos_renyi(200, 4000, seed=1), {"gathers": True}),  # 40 each
        (wp.Graph.from_edges(range(9), range(1, 10)), {"gathers": True}),  # directed
        (wp.Graph.from_edges([], [], n=0), {"gathers": True}),
    ],
)
def test_others_are_shared_out(graph, how):
    assert fitted(None, graph, **how) == lookup(DEFAULT)


def test_what_is_named_stays():
    for name in ("merge-path", "thread-mapped"):
        assert fitted(lookup(name), GRID, gathers=True) == lookup(name)
