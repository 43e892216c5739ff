"""How much fits through to each vertex? A path is as wide as its narrowest edge."""

import numpy as np

import warpath as wp


@wp.operator
def widen(u, v, w, width):
    return wp.atomic_max(width, v, min(width[u], w))


pipes = wp.generate.rmat(12, 8, weights=(1, 1000), seed=2)
source = int(np.diff(pipes.row_offsets).argmax())
width = np.zeros(pipes.num_vertices, np.int32)
width[source] = np.iinfo(np.int32).max
wp.traverse(pipes, source, widen, width)
print("median width:", np.median(width[width > 0]))
