"""Connected components on a device, against the CPU's."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape
from warpath import balance

pytestmark = pytest.mark.gpu


def check(graph, **options):
    labels, count = wp.connected_components(graph, device="cuda", **options)
    wanted, how_many = wp.connected_components(graph, device="cpu")
    assert (count, labels.dtype) == (how_many, np.int32)
    assert np.array_equal(labels.get(), wanted)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


@pytest.mark.parametrize("name", balance.TECHNIQUES)
def test_every_balance(name):
    for directed in (False, True):
        check(wp.generate.rmat(13, 3, directed=directed, seed=1), schedule=name)


def test_large_graphs():
    for graph in (
        wp.generate.rmat(20, 4, seed=1),
        wp.generate.rmat(20, 4, directed=True, seed=2),
        wp.generate.grid(1500, keep=0.55, seed=1),
        wp.generate.erdos_renyi(2**20, 2**19, seed=1),
    ):
        check(graph)


def test_no_vertices():
    labels, count = wp.connected_components(wp.Graph.from_edges([], []), device="cuda")
    assert (len(labels), count) == (0, 0)
