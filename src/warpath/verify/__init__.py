"""Certificates: is this answer right? Without a second run, and without the engines.

Distances of shortest paths are the one function d with these properties. It is 0 at the
source. It is no larger than d(u) + w along any arc u → v. It equals d(u) + w along one arc
into each other reached vertex, and these arcs make a tree. The same holds for values of paths
by another algebra than sums. Each property has a name in `PROPERTIES`; `bfs` and `sssp` check them all, in O(V + E)
time, with NumPy alone. An answer that breaks one raises `warpath.VerificationError`,
whose ``broken`` is the property's name:

>>> import numpy as np
>>> from warpath import Graph, VerificationError, verify
>>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
>>> verify.bfs(g, 0, np.array([0, 1, 1], np.int32))
>>> try:
...     verify.bfs(g, 0, np.array([0, 1, 2], np.int32))
... except VerificationError as error:
...     print(error)
triangle: distance[2] is 2, but the arc 0 → 2 of weight 1 leads there from distance 0, in all 1

`apsp` checks all rows of a matrix, `path` one path, `no_path` that there is none,
`negative_cycle` that there can be no shortest one. `core_numbers` and others check what other functions find.
"""

from warpath.verify.apsp import apsp
from warpath.verify.bfs import bfs
from warpath.verify.core_numbers import core_numbers
from warpath.verify.label_propagation import label_propagation
from warpath.verify.maximal_independent_set import maximal_independent_set
from warpath.verify.negative_cycle import negative_cycle
from warpath.verify.path import no_path, path
from warpath.verify.properties import PROPERTIES
from warpath.verify.sssp import sssp

__all__ = [
    "PROPERTIES",
    "apsp",
    "bfs",
    "core_numbers",
    "label_propagation",
    "maximal_independent_set",
    "negative_cycle",
    "no_path",
    "path",
    "sssp",
]
