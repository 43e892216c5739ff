"""
When does a network fall apart?
===============================

Remove edges of a grid at random and look at its connected components. When half of the edges are
gone, the largest component suddenly breaks up: percolation.
"""

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

SIDE = 200
keep = np.linspace(0.3, 0.8, 41)
share = []
for probability in keep:
    grid = wp.generate.grid(SIDE, keep=probability, seed=1)
    labels, count = wp.connected_components(grid)
    share.append(np.bincount(labels).max() / SIDE**2)

# %%
# At one half, components of every size are there. Each gets a colour of its own.
labels, count = wp.connected_components(wp.generate.grid(SIDE, keep=0.5, seed=1))
color = np.random.default_rng(1).permutation(labels.max() + 1)[labels]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.plot(keep, share, color="#1f4e79")
left.axvline(0.5, color="0.7", linestyle=":")
left.set(xlabel="share of the edges that is kept", ylabel="share of the largest component")
right.imshow(color.reshape(SIDE, SIDE), cmap="turbo", interpolation="nearest")
right.set(xticks=[], yticks=[], title=f"{count:,} components")
plt.show()
