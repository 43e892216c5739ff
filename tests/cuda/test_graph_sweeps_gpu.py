"""Sweeps over representations on a GPU."""

import numpy as np
import pytest

import warpath as wp
from warpath.bench import representations
from warpath.bench.representations import FORMS

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [1, 33, 1000])
def test_a_sweep_is_that_of_the_cpu(form, n):
    m = min(8 * n, n * (n - 1) // 2)
    graph = wp.generate.erdos_renyi(n, m, weights=(1, 255), seed=n)
    assert graph.weights.dtype == np.int32
    found = representations.ask(graph, form, "sweep", "cuda")
    assert found.found == representations.ask(graph, form, "sweep").found
    assert found.found == representations.expected(graph, "sweep")
    assert found.seconds > 0
