"""`compute`, `filter` and `reduce` on the CPU, against plain Python."""

import numpy as np
import pytest

import warpath as wp
from operator_bodies import VERTEX_CASES, check_elements, fresh, is_odd, visit, weight
from warpath.algorithms.primitives.vertices import prepare_reduce


@pytest.mark.parametrize("name", VERTEX_CASES)
def test_operators(name):
    case = VERTEX_CASES[name]
    arguments = fresh(case.arguments)
    wp.compute(case.graph, case.operator, *arguments)
    case.check(arguments)


def test_filter():
    graph = wp.generate.grid(1, 200_000)  # two threads
    a = np.arange(200_000, dtype=np.int32) * 3
    odd = wp.filter(graph, is_odd, a)
    assert odd.vertices.dtype == np.int32
    assert np.array_equal(odd.vertices, np.flatnonzero(a % 2))
    some = wp.Frontier(graph, [1, 2, 4, 9])
    assert sorted(wp.filter(some, is_odd, a).vertices.tolist()) == [1, 9]
    assert len(wp.filter(wp.Frontier(graph, []), is_odd, a)) == 0


def test_reduce():
    graph = wp.generate.grid(1, 4)
    x = np.array([1.5, -2.0, 4.0, 0.0])
    for by, right in (("sum", 7.0), ("min", -4.0), ("max", 8.0), ("any", True), ("all", False)):
        assert wp.reduce(graph, weight, x, by=by) == right
    assert wp.reduce(wp.Frontier(graph, [0, 2]), weight, x) == 11.0
    assert wp.reduce(wp.Frontier(graph, []), weight, x) == 0
    many = np.full(4, 2**31 - 1, np.int32)
    assert wp.reduce(graph, is_odd, many) == 4  # an int64
    with pytest.raises(ValueError, match="the min of no vertices"):
        wp.reduce(wp.Frontier(graph, []), weight, x, by="min")
    with pytest.raises(ValueError, match="by"):
        wp.reduce(graph, weight, x, by="mean")


@pytest.mark.parametrize("layers", [1, 3])
def test_layers(layers):
    check_elements(layers)


def test_what_layers_need():
    graph, x = wp.generate.grid(1, 3), np.zeros(3)
    for call in (wp.compute, wp.reduce):
        with pytest.raises(ValueError, match="layers must be a positive integer, not 0"):
            call(graph, weight, x, layers=0)
        with pytest.raises(ValueError, match=r"3 vertices of 1,000,000,000 layers are more"):
            call(graph, weight, x, layers=10**9)
        with pytest.raises(ValueError, match="x has 3 elements, and weight reads it at vertices"):
            call(graph, weight, x, layers=2)


@wp.operator
def among_all(v, x, sum_of_all):
    return x[v] / sum_of_all[0]


def test_a_total_is_what_another_operator_takes():
    graph = wp.generate.grid(1, 4)
    x = np.array([1.5, -2.0, 4.0, 0.5])
    found = prepare_reduce(graph, weight, x).run()
    assert found.tolist() == [wp.reduce(graph, weight, x)] == [8.0]
    assert wp.reduce(graph, among_all, x, found) == 0.5
    none = prepare_reduce(wp.Frontier(graph, []), is_odd, x.astype(np.int32))
    assert none.run().tolist() == [0]


@wp.operator
def nothing(v, x):
    x[v] = 0


def test_what_does_not_fit():
    graph, x = wp.generate.grid(1, 4), np.ones(4)
    wp.compute(graph, nothing, x)
    assert not x.any()
    with pytest.raises(ValueError, match="nothing returns, and it returns nothing"):
        wp.filter(graph, nothing, x)
    with pytest.raises(TypeError, match="an operator on vertices"):
        wp.compute(graph, visit, x)
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.compute(3, nothing, x)
