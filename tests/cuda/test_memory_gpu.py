"""What searches take of a GPU's memory beyond the graph, in bytes per vertex."""

from contextlib import contextmanager
from functools import partial

import pytest

import warpath as wp

pytestmark = pytest.mark.gpu

SMALL = 1 / 16  # for what does not grow with the graph, as bytes per vertex of the graphs here
GRAPHS = {
    "G(n, m)": lambda: wp.generate.erdos_renyi(
        2**18, 2**22, weights=(1, 255), seed=1, device="cuda"
    ),
    "R-MAT": lambda: wp.generate.rmat(18, 8, weights=(1, 255), seed=1, device="cuda"),  # the sweep
    "grid": lambda: wp.generate.grid(512, weights=(1, 255), seed=1, device="cuda"),
}


@contextmanager
def allocated():
    """A list that gets the size of each allocation; what is freed meanwhile is not taken off."""
    import cupy

    sizes = []

    class Hook(cupy.cuda.MemoryHook):
        name = "sizes"

        def malloc_postprocess(self, **call):
            sizes.append(call["size"])

    with Hook():
        yield sizes


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize(
    ("search", "most"),
    [
        (wp.bfs, 16),
        (wp.sssp, 40),
        (partial(wp.sssp, predecessors=False), 28),
        (partial(wp.sssp, method="h-bf"), 40),
    ],
    ids=["bfs", "sssp", "sssp, distances alone", "h-bf"],
)
def test_bytes_a_vertex(search, most, name):
    graph = GRAPHS[name]()
    options = {"device": "cuda", "trace": False}
    search(graph, 0, **options)  # what is kept with the graph
    with allocated() as sizes:
        paths = search(graph, 0, **options)
    assert len(sizes) > 0
    paths.verify()
    assert sum(sizes) <= (most + SMALL) * graph.num_vertices
