"""How deep in the core is each vertex? Peel off those of few neighbours, again and again."""

import numpy as np

import warpath as wp


@wp.operator
def peel(u, v, degree, k):
    return wp.atomic_add(degree, v, -1) == k + 1


@wp.operator
def is_low(v, degree, core, k):
    return core[v] < 0 and degree[v] <= k


graph = wp.generate.rmat(12, 8, simple=True, seed=5)
degree, core = np.diff(graph.row_offsets), np.full(graph.num_vertices, -1)
for k in range(degree.max() + 1):
    peeled = wp.filter(graph, is_low, degree, core, k)
    while peeled:
        core[peeled.vertices] = k
        peeled = wp.advance(graph, peeled, peel, degree, k)
print("largest core number:", core.max())
