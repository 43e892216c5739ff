"""Sums by propagation blocking on a device: PageRank's ranks are the CPU's to the bit."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape
from warpath.cuda import propagation_blocking

pytestmark = pytest.mark.gpu


def check(graph, **options):
    ranks = wp.pagerank(graph, device="cuda", **options)
    assert np.array_equal(ranks.get(), wp.pagerank(graph, device="cpu", **options))


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(propagation_blocking, "_MIN_VERTICES", 1)
    monkeypatch.setattr(propagation_blocking, "_lead_far", lambda *_: True)
    monkeypatch.setattr(propagation_blocking, "_MIN_TILE", 0)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(always, name):
    graph = shape(name).without_weights()
    check(graph)
    check(graph, tolerance=1e-9, max_iterations=200)


def test_large_graphs(always):
    for graph in (
        wp.generate.rmat(18, 16, directed=True, seed=2),
        wp.generate.erdos_renyi(2**20 + 7, 2**23, directed=True, seed=1),
        wp.Graph.from_edges(np.arange(2**20), np.full(2**20, 77), directed=True),
        wp.Graph.from_edges(np.arange(2**20), np.full(2**20, 77)),
    ):
        check(graph)
        check(graph, tolerance=1e-9, max_iterations=200, personalization={3: 1})
