"""How long do PageRank, triangles and components take on a GPU, next to CuPy's sparse product?

    python benchmarks/gpu_centrality.py [scale …]

Milliseconds, medians of 5, on R-MAT graphs of 16 edges per vertex; "product" is one of CuPy's matrix-vector
products (cuSPARSE) in float32, what an iteration of PageRank is made of elsewhere.
"""

import sys
from time import perf_counter

import cupy
import cupyx.scipy.sparse
import numpy as np

import warpath as wp


def milliseconds(run, repeats=5):
    """The median time of a call, after one that compiles."""
    run()
    times = []
    for _ in range(repeats):
        cupy.cuda.Device().synchronize()
        begin = perf_counter()
        run()
        cupy.cuda.Device().synchronize()
        times.append(perf_counter() - begin)
    return 1e3 * sorted(times)[repeats // 2]


@wp.operator
def give(u, v, share):
    return share[u]


def rows(graph):
    """What is run on a graph, by name."""
    from warpath.cuda.device_graph import on_device

    there, n = on_device(graph), graph.num_vertices
    shares = cupy.ones(n, np.int64)
    found = {
        "aggregate, int64": lambda: wp.aggregate(graph, give, shares),
        "aggregate, float32": lambda: wp.aggregate(graph, give, shares.astype(np.float32)),
        "pagerank": lambda: wp.pagerank(graph, device="cuda"),
        "triangles": lambda: wp.triangles(graph, device="cuda"),
        "components": lambda: wp.connected_components(graph, device="cuda"),
    }
    if graph.num_arcs < 2**31:
        matrix = cupyx.scipy.sparse.csr_matrix(
            (
                cupy.ones(graph.num_arcs, np.float32),
                there.column_indices[: graph.num_arcs],
                there.row_offsets.astype(np.int32),
            ),
            shape=(n, n),
        )
        vector = cupy.ones(n, np.float32)
        found["product"] = lambda: matrix @ vector
    return found


def main():
    for scale in map(int, sys.argv[1:] or ["20", "23"]):
        graph = wp.generate.rmat(scale, 16, seed=1, device="cuda")
        for what, run in rows(graph).items():
            print(f"rmat-{scale} {what:20} {milliseconds(run):10.3f}", flush=True)


if __name__ == "__main__":
    main()
