"""
Which way around obstacles?
===========================

A robot moves on a grid of cells, up, down, left or right. Some cells are blocked.
`warpath.Graph.subgraph` takes the free cells, and `warpath.shortest_path` finds the fewest steps
between two of them.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

SIDE = 60
free = np.ones((SIDE, SIDE), bool)
free[:45, 12] = free[15:, 26] = free[20, 26:34] = free[:50, 42] = False

cells = wp.generate.grid(SIDE).subgraph(np.flatnonzero(free))
path = wp.shortest_path(cells, 0, SIDE * SIDE - 1)
path.verify()

# %%
# Vertices keep their numbers in the grid, so rows and columns follow from them.
row, column = np.divmod(path.vertices, SIDE)

figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
axes.imshow(~free, cmap="Greys", vmax=1.3)
axes.plot(column, row, color="#d1495b", linewidth=2.5)
axes.plot(column[[0, -1]], row[[0, -1]], "o", color="#1f4e79")
axes.set(title=f"{path.length} steps", xticks=[], yticks=[])
plt.show()
