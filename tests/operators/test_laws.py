"""Laws on samples of weights and values, and the mean step that buckets are made of."""

import numpy as np
import pytest

import warpath as wp
from warpath.operators import laws, lookup

INT32, FLOAT64 = np.dtype(np.int32), np.dtype(np.float64)
GRAPH = wp.generate.grid(60, weights=(1, 9), seed=1)


def sample(extend, dtype=INT32, graph=GRAPH, **options):
    algebra = lookup(wp.Algebra(extend, **options))
    return algebra, laws.sample(algebra, graph, dtype, dtype)


def test_a_sample_has_the_ends_of_the_weights_and_values_of_paths():
    weights = np.full(GRAPH.num_arcs, 5, np.int32)
    weights[[1, -2]] = 1000, 1
    _, some = sample(lambda d, w: d + w, graph=wp.Graph.from_edges(*GRAPH.coo()[:2], weights))
    assert some.weights[:3] == [1, 1000, 5]
    assert some.values[:4] == [0, 1, 5, 1000]
    assert len(some.weights) < 1000


def test_of_values_that_are_better_if_larger_the_largest_is_first():
    _, some = sample(lambda d, w: min(d, w), select=max, start=20, unreached=-1)
    assert some.values[0] == 20
    assert some.values[-1] == 1
    assert some.values == sorted(some.values, reverse=True)


def test_a_value_that_does_not_fit_ends_the_sample():
    algebra, some = sample(lambda d, w: d * 2000 + w, start=1)
    assert max(some.values) < 2**31
    laws.check_laws(algebra, some, INT32)


def test_an_edge_that_cannot_be_taken_breaks_no_law():
    algebra, some = sample(lambda d, w: d + w if d + w < 20 else np.inf, FLOAT64)
    assert some.values[-1] < 20
    laws.check_laws(algebra, some, FLOAT64)


def test_a_function_that_keeps_the_laws():
    algebra, some = sample(lambda d, w: max(d, 5) if d < 3 else d)
    laws.check_laws(algebra, some, INT32)


@pytest.mark.parametrize(
    ("extend", "message"),
    [
        (lambda d, w: d - w, r"an edge must not make a path better, but extend\(.*, 1\) is .*, smaller than"),
        (lambda d, w: d + w + 30 * (d % 2), r"extending must keep the order, but extend\(.*, worse than"),
        (lambda d, w: d + 10 * w // (d + 1), r"extending must keep the order, but extend\(.*, worse than"),
    ],
)  # fmt: skip
def test_a_function_that_breaks_a_law(extend, message):
    algebra, some = sample(extend)
    with pytest.raises(ValueError, match=message):
        laws.check_laws(algebra, some, INT32)


def test_the_mean_step_of_sums_is_the_mean_weight():
    algebra, some = sample(lambda d, w: d + w)
    assert laws.mean_step(algebra, some, INT32) == pytest.approx(GRAPH.mean_weight, rel=0.2)


@pytest.mark.parametrize(
    ("extend", "value", "leaves"),
    [
        (lambda d, w: d + w, 2**31 - 10, False),
        (lambda d, w: d + w, 2**31 - 9, True),
        (lambda d, w: d * w, 2**30, True),
        (lambda d, w: 2 * np.int32(d), 2**40, True),
        (lambda d, w: np.inf, 5, False),
    ],
)
def test_what_leaves_a_dtype_by_exact_arithmetic(extend, value, leaves):
    assert laws.leaves(lookup(wp.Algebra(extend)), GRAPH, value, INT32) is leaves
