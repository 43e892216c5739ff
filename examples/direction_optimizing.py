"""
What does it save to search bottom-up?
======================================

Top-down, each vertex of a level looks at all its edges. Bottom-up, each vertex that is not yet
reached looks for one neighbour in the level, and stops at the first. Where a level holds much of
the graph, bottom-up looks at far fewer edges. By default `warpath.bfs` takes the cheaper
one at each level.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

graph = wp.generate.rmat(16, seed=1)
source = int(graph.degree.argmax())

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for place, direction in enumerate(("top-down", "bottom-up", "optimizing")):
    stats = wp.bfs(graph, source, schedule=f"direction={direction}").stats
    level = np.arange(stats.iterations)
    total = f"{direction}: {stats.edges.sum():,} edges"
    axes.bar(level + 0.27 * (place - 1), np.maximum(stats.edges, 0.5), width=0.25, label=total)
axes.set(yscale="log", xlabel="level", ylabel="edges looked at")
axes.legend(frameon=False)
plt.show()

# %%
# S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
