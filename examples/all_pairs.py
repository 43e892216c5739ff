"""
How far is everyone from everyone?
==================================

All distances of Zachary's karate club, as a heat map. Sorted by how far each member is from all
others, the two leaders come first.
"""

import matplotlib.pyplot as plt

import warpath as wp

club = wp.generate.named("karate")
distance = wp.apsp(club).distance
order = distance.sum(axis=1).argsort()

figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
picture = axes.imshow(distance[order][:, order], cmap="magma_r")
axes.set_xticks(range(len(order)), order, fontsize=6)
axes.set_yticks(range(len(order)), order, fontsize=6)
axes.set(xlabel="member", ylabel="member", title=f"Diameter {wp.diameter(club)}")
figure.colorbar(picture, label="steps", ticks=range(6))
plt.show()
