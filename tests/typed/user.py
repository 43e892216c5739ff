"""What a user writes: type checkers take this file as it is, but for the marked lines.

A line that ends in ``# wrong`` holds a mistake, and each checker must report it; and no other line.
`scripts/check_types` runs mypy and pyright; `tests/test_typing.py` runs the right lines.
"""

import numpy as np
from numpy.typing import NDArray

import warpath as wp
from warpath.typing import MethodName

g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 2], merge="min")
method: MethodName = "delta-stepping"
r = wp.sssp(g, 0, method=method, device="cpu", algebra="shortest")
distances: NDArray[np.int64] = r.distance
path: list[object] = r.path(3)
levels = wp.bfs(g, [0, 1], schedule="direction=top-down").distance
steps: wp.Paths = wp.bfs(g, 0, nearest=True, schedule=wp.Schedule(direction="optimizing", beta=20))
matrix = wp.apsp(g, method="blocked-floyd-warshall", algebra="minimax").distance
one = wp.shortest_path(g, 0, 3, method="dijkstra")
length = one.length + 1
meeting = wp.shortest_path(g, 0, 3, method="bidirectional")
rows = wp.distance_matrix(g, [0], [3], device="auto").distance
named: wp.Graph = wp.generate.named("karate")
again = wp.Graph.from_matrix(g.to_scipy(), directed=True, device="cpu")
frame = wp.Graph.from_frame(g.to_frame(), "source", "target", "weight", merge="min")
lighter = g.with_weights(np.ones(4), order="arcs")
parts = wp.csgraph.shortest_path(g.to_scipy(), method="D")

shares: wp.distributed.DistributedGraph = wp.generate.rmat(4, weights=(1, 9), distributed=True)
shared: wp.distributed.DistributedPaths = wp.sssp(shares, 0)
labels, count = wp.connected_components(shares, device="cpu")


def mistakes(g: wp.Graph) -> None:
    """Never called."""
    wp.sssp(g, 0, method="dijkstar")  # wrong
    wp.sssp(g, 0, device="gpu")  # wrong
    wp.sssp(g, 0, algebra="shortes")  # wrong
    wp.Schedule(loop="hots")  # wrong
    wp.Schedule(optimizations=["duplicate-remval"])  # wrong
    wp.sssp(g, 0, schedule=3)  # wrong
    wp.sssp(g, 0, methd="dijkstra")  # wrong
    wp.sssp(g, 0, nearest="no")  # wrong
    wp.bfs(shares, 0, trace=False)  # wrong
    wp.Schedule(direction="topdown")  # wrong
    wp.Schedule(frontier="vertex")  # wrong
    wp.Schedule(duplicates="hsah")  # wrong
    wp.Schedule(enqueue="scatterd")  # wrong
    wp.Schedule(balance=16)  # wrong
    wp.bfs(g, 0, balance="merge-path")  # wrong
    wp.sssp(g, 0, method="bidirectional")  # wrong
    wp.apsp(g, method="dijkstra")  # wrong
    wp.apsp(g, device="gpu")  # wrong
    wp.Graph.from_edges([0], [1], merge="max")  # wrong
    wp.Graph.from_frame(g.to_frame(), weights="km")  # wrong
    wp.Graph.from_matrix(g.to_scipy(), device="auto")  # wrong
    wp.read("x.gr", format="dimac")  # wrong
    wp.write(g, "x.gr", format="dimac")  # wrong
    wp.generate.named("karat")  # wrong
    wp.csgraph.shortest_path(g.to_scipy(), method="Dijkstra")  # wrong
    print(wp.sssp(g, 0).distances)  # wrong


presets = [
    wp.bfs(g, 0, device="cpu"),
    wp.sssp(g, 0, device="cpu", target=3),
]
