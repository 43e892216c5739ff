"""How long do measures take on a GPU: PageRank, triangles, components, cores, communities, forests, betweenness?

    python benchmarks/gpu_centrality.py [scale …] [--only NAME …]

Milliseconds, medians of 5, on R-MAT graphs of 16 edges per vertex, and on a grid of as many vertices; "product" is
one of CuPy's matrix-vector products (cuSPARSE) in float32, what an iteration of PageRank is made of elsewhere.
"Betweenness" is of four sources, by edges; "by weight" and "of edges" likewise. By edges it is not of the grid, whose
shortest paths are more than a float64 can count. Strong components are those of a directed R-MAT graph. ``--only``
names rows.
"""

import argparse
from functools import partial

import cupy
import cupyx.scipy.sparse
import numpy as np
from gpu_timing import median_call_ms

import warpath as wp

MERGING = "two-phase-search"  # the balance by which lists of neighbours are merged
COUNTLESS = ("betweenness", "of edges")  # a grid has more shortest paths than a float64 can say


@wp.operator
def give(u, v, share):
    return share[u]


def rows(graph):
    """What is run on a graph, by name."""
    from warpath.cuda.device_graph import on_device

    weighted, graph = graph, graph.without_weights()
    there, n = on_device(graph), graph.num_vertices
    shares = cupy.ones(n, np.int64)
    found = {
        "aggregate, int64": lambda: wp.aggregate(graph, give, shares),
        "aggregate, float32": lambda: wp.aggregate(graph, give, shares.astype(np.float32)),
        "pagerank, 1 iteration": lambda: wp.pagerank(graph, tolerance=2, device="cuda"),
        "pagerank": lambda: wp.pagerank(graph, device="cuda"),
        "triangles": lambda: wp.triangles(graph, device="cuda"),
        "triangles, merging": lambda: wp.triangles(graph, device="cuda", schedule=MERGING),
        "components": lambda: wp.connected_components(graph, device="cuda"),
        "core numbers": lambda: wp.core_numbers(graph, device="cuda"),
        "independent set": lambda: wp.maximal_independent_set(graph, device="cuda"),
        "label propagation": lambda: wp.label_propagation(
            graph, max_iterations=1000, device="cuda"
        ),
        "forest": lambda: wp.minimum_spanning_forest(weighted, device="cuda"),
        "betweenness": lambda: wp.betweenness(graph, sources=range(4), device="cuda"),
        "by weight": lambda: wp.betweenness(weighted, sources=range(4), device="cuda"),
        "of edges": lambda: wp.edge_betweenness(graph, sources=range(4), device="cuda"),
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
    options = argparse.ArgumentParser()
    options.add_argument("scales", type=int, nargs="*", default=[20, 23])
    options.add_argument("--only", nargs="+")
    options = options.parse_args()

    def left_out(what):
        return options.only is not None and what not in options.only

    for scale in options.scales:
        graphs = {
            f"rmat-{scale}": wp.generate.rmat(scale, 16, weights=(1, 255), seed=1, device="cuda"),
            f"grid-{scale}": wp.generate.grid(
                2 ** (scale // 2), 2 ** ((scale + 1) // 2), weights=(1, 255), seed=1, device="cuda"
            ),
        }
        for name, graph in graphs.items():
            for what, run in rows(graph).items():
                if left_out(what) or (name.startswith("grid") and what in COUNTLESS):
                    continue
                print(f"{name} {what:22} {median_call_ms(run):10.3f}", flush=True)
        if left_out("strong components"):
            continue
        graph = wp.generate.rmat(scale, 16, directed=True, seed=1, device="cuda")
        taken = median_call_ms(partial(wp.strongly_connected_components, graph, device="cuda"))
        print(f"rmat-{scale}, directed {'strong components':22} {taken:10.3f}", flush=True)


if __name__ == "__main__":
    main()
