"""Which pages matter? PageRank by its definition, until it changes by less than a millionth."""

import numpy as np

import warpath as wp


@wp.operator
def give(u, v, share, rank):
    wp.atomic_add(rank, v, share[u])


web = wp.generate.rmat(12, 8, directed=True, seed=4)
n, degree, everyone = web.num_vertices, np.diff(web.row_offsets), wp.Frontier(web)
rank, change = np.full(n, 1 / n), 1.0
while change > 1e-6:
    before, rank = rank, np.zeros(n)
    wp.advance(web, everyone, give, before / np.maximum(degree, 1), rank)
    rank = 0.15 / n + 0.85 * (rank + before[degree == 0].sum() / n)
    change = abs(rank - before).sum()
print("the first five:", np.argsort(-rank)[:5].tolist())
