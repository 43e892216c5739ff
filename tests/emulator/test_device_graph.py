"""Graphs whose arrays lie on a GPU: copies go with their graph, and a sample tells what is a mesh."""

import gc
from types import SimpleNamespace
from weakref import ref

import pytest

import warpath as wp
from emulated_device import emulated_device
from warpath.cuda.device_graph import on_device
from warpath.graph.arrays import Csr
from warpath.planning.meshes import is_mesh


@pytest.mark.parametrize("directed", [False, True])
def test_a_copy_does_not_wait_for_the_garbage_collector(runtime, directed):
    graph = wp.generate.rmat(6, 6, directed=directed, seed=1)
    with emulated_device(runtime):
        wp.bfs(graph, 0, device="cuda", schedule="direction=bottom-up")
        wp.pagerank(graph, device="cuda")
        copies = [ref(on_device(one)) for one in (graph, graph.reverse)]
        gc.disable()
        try:
            del graph
            assert [copy() for copy in copies] == [None, None]
        finally:
            gc.enable()


@pytest.mark.parametrize("mesh", [True, False])
def test_whether_it_is_a_mesh(runtime, mesh):
    graph = wp.generate.grid(200) if mesh else wp.generate.erdos_renyi(40_000, 80_000, seed=1)
    with emulated_device(runtime):
        arrays = (runtime.xp.asarray(one) for one in (graph.row_offsets, graph.column_indices))
        there = SimpleNamespace(
            num_vertices=graph.num_vertices, num_arcs=graph.num_arcs, derived={},
            resident=Csr(*arrays, None),
        )  # fmt: skip
        assert is_mesh(there) is mesh
