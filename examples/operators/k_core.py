"""How deep in the core is each vertex? Peel off those of few neighbours, again and again."""

import numpy as np

import warpath as wp


@wp.operator
def peel(u, v, degree, k):
    return wp.atomic_add(degree, v, -1) == k  # now it has k - 1


@wp.operator
def is_left(v, degree, core, k):
    return core[v] == 0 and degree[v] < k


graph = wp.generate.rmat(12, 8, simple=True, seed=5)
degree, core, k = np.diff(graph.row_offsets), np.zeros(graph.num_vertices, np.int32), 1
while (core == 0).any():
    peeled = wp.filter(graph, is_left, degree, core, k)
    while peeled:
        core[peeled.vertices] = k
        peeled = wp.advance(graph, peeled, peel, degree, k)
    k += 1
print("largest core number:", core.max() - 1)
