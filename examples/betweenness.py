"""
Which streets carry the traffic?
================================

Betweenness centrality of an edge is the share of all shortest paths that go along it. In a town
with a river, that is the bridges.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import warpath as wp

SIDE = 30
source, target, weight = wp.generate.grid(SIDE, weights=(8, 12), seed=1).edges()
row, column = np.divmod(np.arange(SIDE * SIDE), SIDE)

# %%
# The river flows between two rows. Three bridges cross it.
crosses = (row[source] < SIDE // 2) & (row[target] >= SIDE // 2)
built = ~crosses | np.isin(column[source], [4, 13, 24])
town = wp.Graph.from_edges(source[built], target[built], weight[built], directed=False)

traffic = wp.edge_betweenness(town)
u, v, _ = town.coo()  # one value for each direction of an edge
ends = np.stack([np.stack([column[u], row[u]], 1), np.stack([column[v], row[v]], 1)], 1)
busy = traffic / traffic.max()

figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
axes.add_collection(LineCollection(ends, linewidths=1 + 5 * busy, colors=plt.cm.inferno_r(busy)))
axes.axhspan(SIDE // 2 - 0.9, SIDE // 2 - 0.1, color="#a6cee3", zorder=0)
axes.set(xlim=(-1, SIDE), ylim=(-1, SIDE), xticks=[], yticks=[], aspect="equal")
plt.show()
