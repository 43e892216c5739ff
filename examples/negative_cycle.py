"""
Can I gain by changing money in a circle?
=========================================

Rates multiply along a path; their logarithms add up. With the weight −log(rate), a circle of
exchanges that gains money is a cycle of negative weight. A search that meets one raises
`warpath.NegativeCycleError`, which has its vertices.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

import warpath as wp

MONEY = ["CHF", "EUR", "GBP", "JPY", "USD"]
RATES = np.array(  # from the row's to the column's
    [
        [1, 1.060, 0.890, 172.0, 1.130],
        [0.940, 1, 0.840, 163.0, 1.070],
        [1.120, 1.180, 1, 195.5, 1.270],
        [0.00576, 0.00610, 0.00510, 1, 0.00652],
        [0.880, 0.930, 0.785, 152.6, 1],
    ]
)

source, target = np.nonzero(~np.eye(len(MONEY), dtype=bool))
exchange = wp.Graph.from_edges(source, target, -np.log(RATES[source, target]))
try:
    wp.sssp(exchange, 0)
    circle = []
except wp.NegativeCycleError as error:
    circle = [*error.cycle, error.cycle[0]]

gain = np.prod([RATES[u, v] for u, v in pairwise(circle)])
print(" → ".join(MONEY[v] for v in circle), f"gains {100 * (gain - 1):.2f} %")

# %%
angle = 2 * np.pi * np.arange(len(MONEY)) / len(MONEY)
x, y = np.sin(angle), np.cos(angle)

figure, axes = plt.subplots(figsize=(5, 5), layout="constrained")
axes.plot(x[np.stack([source, target])], y[np.stack([source, target])], color="0.85", zorder=0)
for u, v in pairwise(circle):
    axes.annotate(
        "", (x[v], y[v]), (x[u], y[u]),
        arrowprops={"arrowstyle": "-|>", "color": "#d1495b", "shrinkA": 18, "shrinkB": 18, "lw": 2},
    )  # fmt: skip
axes.scatter(x, y, 900, color="#1f4e79")
for name, *place in zip(MONEY, x, y, strict=True):
    axes.text(*place, name, color="white", ha="center", va="center")
axes.set(xlim=(-1.3, 1.3), ylim=(-1.2, 1.3), title=f"{100 * (gain - 1):.2f} % gained")
axes.axis("off")
plt.show()
