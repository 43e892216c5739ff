"""
Which other routes are nearly as short?
=======================================

The five shortest paths between two corners, none of which visits a vertex twice. A navigation
system offers such alternatives.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

SIDE = 12
graph = wp.generate.grid(SIDE, weights=(1, 20), seed=8)
found = wp.k_shortest_paths(graph, 0, SIDE * SIDE - 1, 5)
found.verify()

figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
source, target, weight = graph.edges()
for u, v, cost in zip(source, target, weight, strict=True):
    (y0, y1), (x0, x1) = np.divmod([u, v], SIDE)
    axes.plot([x0, x1], [y0, y1], color="0.8", linewidth=4 / cost**0.5, zorder=0)
for rank, (vertices, length) in enumerate(found):
    row, column = np.divmod(vertices, SIDE)
    shift = 0.09 * (rank - 2)  # next to each other where routes agree
    axes.plot(column + shift, row + shift, linewidth=2, label=f"length {length}")
axes.set(xticks=[], yticks=[], title="Thick streets are fast")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
plt.show()
