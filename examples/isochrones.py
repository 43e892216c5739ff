"""
How far do I get in ten minutes?
================================

Isochrones of a street network: what is reached within 4, 7 and 10 minutes, also in the middle of a
street. The network is made up here; `warpath.Graph.from_osmnx` takes a real one.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

SIDE, BLOCK = 40, 100  # crossings along a side; metres between two of them
WALKING = 75  # metres per minute

rng = np.random.default_rng(1)
row, column = np.divmod(np.arange(SIDE * SIDE), SIDE)
x, y = BLOCK * (np.array([column, row]) + rng.uniform(-0.3, 0.3, (2, SIDE * SIDE)))

source, target, _ = wp.generate.grid(SIDE, keep=0.85, seed=1).edges()
minutes = np.hypot(x[source] - x[target], y[source] - y[target]) / WALKING
streets = wp.Graph.from_edges(source, target, minutes, n=SIDE * SIDE, directed=False)
streets = streets.with_coordinates(x, y)

# %%
# Weights are minutes, so limits are minutes.
home = int(streets.nearest_vertices([x.mean()], [y.mean()])[0])
reached = wp.isochrone(streets, home, [4, 7, 10])
print(reached.to_frame())

figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
reached.plot(axes=axes, unit="min")
plt.show()
