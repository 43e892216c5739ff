"""Names and arguments are SciPy's; what is more can only be given by name."""

import inspect
import pickle

import pytest
from scipy.sparse import csgraph as scipys
from scipy.sparse.csgraph import _validation

import warpath as wp
from warpath import csgraph

OURS = (
    "bellman_ford", "breadth_first_order", "breadth_first_tree", "connected_components",
    "dijkstra", "floyd_warshall", "johnson", "minimum_spanning_tree", "shortest_path",
    "yen",
)  # fmt: skip


def test_every_name_of_scipys_is_there():
    assert set(scipys.__all__) == set(csgraph.__all__)
    for name in csgraph.__all__:
        value = getattr(csgraph, name)
        module = value.__module__.partition(".")[0]
        assert module == ("warpath" if name in (*OURS, "NegativeCycleError") else "scipy")


def test_names_that_a_later_scipy_may_have():
    assert csgraph.test is scipys.test
    with pytest.raises(AttributeError, match="no_such_function"):
        _ = csgraph.no_such_function


@pytest.mark.parametrize("name", OURS)
def test_signature(name):
    theirs = getattr(scipys, name, None) or getattr(_validation, name)
    given = list(inspect.signature(theirs).parameters.values())
    mine = list(inspect.signature(getattr(csgraph, name)).parameters.values())
    assert len(mine) >= len(given)
    for one, other in zip(given, mine, strict=False):
        assert (one.name, one.kind) == (other.name, other.kind)
        assert one.default == other.default
    more = mine[len(given) :]
    assert {one.name for one in more} <= {"dtype", "device"}
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in more)


def test_negative_cycle_error_is_scipys_and_warpaths():
    assert issubclass(csgraph.NegativeCycleError, scipys.NegativeCycleError)
    assert issubclass(csgraph.NegativeCycleError, wp.NegativeCycleError)
    error = pickle.loads(pickle.dumps(csgraph.NegativeCycleError([1, 2])))
    assert error.cycle == (1, 2)
    assert "1 → 2 → 1" in str(error)


def test_import_line():
    from warpath.csgraph import dijkstra

    assert dijkstra is wp.csgraph.dijkstra
