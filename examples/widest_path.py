"""
How much fits through?
======================

A path is as wide as its narrowest edge. ``algebra="widest"`` finds the widest path to every vertex:
the load that a lorry can carry there, or the bandwidth of a connection.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

SIDE = 40
bridges = wp.generate.grid(SIDE, weights=(1, 40), seed=2)  # tonnes that each one carries
widest = wp.sssp(bridges, 0, algebra="widest")
widest.verify()
print(widest)

# %%
# The source has no limit. Few edges limit many vertices, so the map has large areas of one colour.
load = widest.distance.reshape(SIDE, SIDE).astype(float)
load[0, 0] = np.nan

row, column = np.divmod(widest.path(SIDE * SIDE - 1), SIDE)
figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
picture = axes.imshow(load, cmap="viridis")
axes.plot(column, row, color="white", linewidth=1.5)
axes.set(xticks=[], yticks=[], title="The widest path to the far corner")
figure.colorbar(picture, label="tonnes")
plt.show()
