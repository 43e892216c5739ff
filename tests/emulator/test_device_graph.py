"""The copy of a graph that a GPU keeps goes with the graph."""

import gc
from weakref import ref

import pytest

import warpath as wp
from emulated_device import emulated_device
from warpath.cuda.device_graph import on_device


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
