"""
Is it the answer of SciPy, and how much sooner?
===============================================

`warpath.csgraph` has SciPy's functions under SciPy's names. Both find the distances from one vertex
of road networks of growing size. The answers are equal; the times are this machine's.
"""

from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse.csgraph

import warpath as wp
import warpath.csgraph


def fastest(function, *arguments, **keywords):
    """The answer, and the least of three times in seconds."""
    times = []
    for _ in range(3):
        begin = perf_counter()
        answer = function(*arguments, **keywords)
        times.append(perf_counter() - begin)
    return answer, min(times)


sides = np.array([16, 32, 64, 128, 256])
seconds = {"SciPy": [], "warpath": []}
for side in sides:
    matrix = wp.generate.grid(side, keep=0.9, weights=(1, 255), seed=1).to_scipy()
    theirs, time = fastest(scipy.sparse.csgraph.dijkstra, matrix, indices=0)
    seconds["SciPy"].append(time)
    ours, time = fastest(warpath.csgraph.dijkstra, matrix, indices=0)
    seconds["warpath"].append(time)
    assert np.array_equal(ours, theirs)

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for name, times in seconds.items():
    axes.plot(sides**2, times, "o-", label=name)
axes.set(xscale="log", yscale="log", xlabel="vertices", ylabel="seconds")
axes.legend(frameon=False)
plt.show()
