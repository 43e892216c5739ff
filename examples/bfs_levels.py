"""
How large are the levels of a breadth-first search?
===================================================

A level is what the search reaches in one more step. A social network has few, huge levels; a road
network has many small ones. This decides how well a search runs in parallel.
"""

import matplotlib.pyplot as plt

import warpath as wp

graphs = {
    "power law (R-MAT)": wp.generate.rmat(16, seed=1),
    "uniform random": wp.generate.erdos_renyi(2**16, 2**18, seed=1),
    "roads": wp.generate.roads(100, 100, keep=0.8, pieces=4, seed=1),
}

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for name, graph in graphs.items():
    levels = wp.bfs(graph, int(graph.degree.argmax())).stats
    axes.plot(levels.frontier, label=f"{name}: {levels.iterations} levels")
axes.set(xscale="symlog", yscale="log", xlabel="level", ylabel="vertices in it")
axes.legend(frameon=False)
plt.show()
