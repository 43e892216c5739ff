"""
Which thread visits which edge?
===============================

A GPU runs 32 threads, a warp, in lockstep. A frontier has vertices of few and of many edges. A
*balance* decides which thread visits which edge. Here are three of them on one frontier, with the
steps that the slowest thread needs.
"""

import matplotlib.pyplot as plt
import numpy as np

from warpath.balance import TECHNIQUES

DEGREES = np.array([2, 1, 9, 3, 33, 4])
LANES = 32
offsets = np.concatenate([[0], np.cumsum(DEGREES)])
item = np.arange(offsets[-1])

# %%
# Edge number *item* of the frontier belongs to the vertex **owner = upper_bound(offsets, item) − 1**
# and is its edge number **rank = item − offsets[owner]**.
owner = np.searchsorted(offsets, item, side="right") - 1
rank = item - offsets[owner]

# %%
# Each balance says by which lane, and in which step, an edge is visited.
WIDTH = 8
groups = LANES // WIDTH
begins = np.array([sum(-(-DEGREES[v % groups : v : groups] // WIDTH)) for v in range(len(DEGREES))])
visits = {
    # One thread walks all edges of one vertex.
    "thread-mapped": (owner, rank),
    # Eight threads share a vertex, and four vertices are visited at once.
    "virtual-warp": (owner % groups * WIDTH + rank % WIDTH, begins[owner] + rank // WIDTH),
    # All threads share all edges; each finds the owner of its edge.
    "two-phase-search": (item % LANES, item // LANES),
}

figure, rows = plt.subplots(len(visits), figsize=(8, 7), layout="constrained", sharex=True)
for axes, (name, (lane, step)) in zip(rows, visits.items(), strict=True):
    grid = np.full((step.max() + 1, LANES), np.nan)
    grid[step, lane] = owner
    axes.imshow(grid, cmap="tab10", vmin=0, vmax=9, aspect="auto", interpolation="nearest")
    axes.yaxis.get_major_locator().set_params(integer=True)
    busy = len(item) / grid.size
    axes.set(title=f"{name}: {len(grid)} steps, {busy:.0%} of the lanes busy", ylabel="step")
    print(f"{name}: {TECHNIQUES[name]().cost}")
rows[-1].set(xlabel="lane of the warp; colours are vertices")
plt.show()

# %%
# ``warpath explain-balance NAME`` explains each of them. On a GPU it prints which thread visited which
# edge of this very frontier.
