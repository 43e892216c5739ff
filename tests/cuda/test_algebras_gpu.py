"""The best paths by every algebra on a device, against the certificate and the CPU."""

import numpy as np
import pytest

import warpath as wp
from algebras import WITH_DTYPES
from oracles import SHAPES, shape, some_vertices, weighted, weighted_for
from warpath import balance
from warpath.planning.methods import METHODS as ALL_METHODS

pytestmark = pytest.mark.gpu
METHODS = [name for name, one in ALL_METHODS.items() if "cuda" in one.devices and not one.only_adds]
# Each pair is another kernel to compile, so not all of them.
SOME = [("widest", np.int32), ("minimax", np.float32), ("most-reliable", np.float64)]


def check(graph, source, **options):
    """The answer of a device, verified, and the CPU's to the bit."""
    paths = wp.sssp(graph, source, device="cuda", **options)
    paths.verify()
    found = paths.to_numpy().distance
    on_cpu = {key: value for key, value in options.items() if key not in ("method", "schedule")}
    here = wp.sssp(graph, source, device="cpu", **on_cpu).distance
    assert found.dtype == here.dtype
    assert found.tobytes() == here.tobytes()
    return paths


@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_every_dtype_to_the_bit(name, algebra, dtype):
    graph = weighted_for(name, algebra, dtype)
    for source in some_vertices(graph):
        check(graph, source, algebra=algebra)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("algebra", "dtype"), SOME)
def test_every_method(algebra, dtype, method):
    for name in ("grid", "uniform, directed", "power law", "star"):
        graph = weighted_for(name, algebra, dtype)
        for source in some_vertices(graph):
            for loop in ("device", "host"):
                check(
                    graph, source, algebra=algebra, method=method, schedule=wp.Schedule(loop=loop)
                )


@pytest.mark.parametrize("technique", [one() for one in balance.TECHNIQUES.values()], ids=str)
def test_every_balance(technique):
    for name in ("grid", "power law, directed"):
        graph = weighted_for(name, "widest", np.int32)
        check(graph, 5, algebra="widest", method="workfront-sweep", schedule=technique)


@pytest.mark.parametrize(("algebra", "dtype"), SOME)
@pytest.mark.parametrize("delta", [0.01, 1, 1e30])
def test_every_width_of_buckets(algebra, dtype, delta):
    for name in ("grid", "power law, directed"):
        graph = weighted_for(name, algebra, dtype)
        for method in ("delta-stepping", "near-far"):
            check(graph, 5, algebra=algebra, method=method, schedule=wp.Schedule(delta=delta))


@pytest.mark.parametrize(("algebra", "dtype"), SOME)
def test_sources_targets_and_cutoffs(algebra, dtype):
    graph = weighted_for("power law, directed", algebra, dtype)
    for options in ({}, {"nearest": True}, {"target": 9}, {"predecessors": False}):
        check(graph, [5, 6, 3, 900], algebra=algebra, **options)
    for cutoff in (0, 0.3, 1) if algebra == "most-reliable" else (-1, 0, 0.3, 4, 2**40, np.inf):
        check(graph, 5, algebra=algebra, cutoff=cutoff)


@pytest.mark.parametrize("algebra", ["widest", "minimax"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_ends_of_a_dtype(algebra, dtype):
    ends = np.iinfo(dtype)
    least, most = (ends.min + 1, ends.max) if algebra == "widest" else (ends.min, ends.max - 1)
    weights = np.array([most, 0, least, least, most], dtype)
    graph = wp.Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 5], weights, n=7)
    for method in METHODS:
        check(graph, 0, algebra=algebra, method=method)


def test_weights_of_another_dtype():
    graph = weighted("power law, directed", np.int32)
    for algebra in ("widest", "minimax"):
        for dtype in (np.int64, np.float32, np.float64):
            check(graph, 5, algebra=algebra, dtype=dtype)
    check(shape("power law, directed"), 5, algebra="widest")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_reliability_too_small_is_found(dtype):
    tiny = np.finfo(dtype).tiny
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 4], np.array([tiny, tiny, 0.5, 0], dtype))
    for method in METHODS:
        with pytest.raises(OverflowError, match="vertex 2 is too small for"):
            wp.sssp(graph, 0, algebra="most-reliable", method=method, device="cuda")
    check(graph, 0, algebra="most-reliable", cutoff=float(tiny))


@pytest.mark.parametrize("sources", [5, [5, 6, 4090]])
@pytest.mark.parametrize("nearest", [False, True])
def test_reachability(sources, nearest):
    graph = weighted("power law, directed", np.int32)
    check(graph, sources, algebra="reachability", nearest=nearest)
