"""How many edges is each vertex away? Breadth-first search in five lines."""

import numpy as np

import warpath as wp


@wp.operator
def visit(u, v, level):
    return wp.atomic_cas(level, v, -1, level[u] + 1)


graph = wp.generate.rmat(12, 8, seed=1)
source = int(np.diff(graph.row_offsets).argmax())
level = np.full(graph.num_vertices, -1, np.int32)
level[source] = 0
wp.traverse(graph, source, visit, level)
print("vertices by level:", np.bincount(level[level >= 0]).tolist())
