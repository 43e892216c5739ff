"""Brandes' algorithm by operators, several sources at once, for GPUs; `warpath.cpu.brandes` is the CPU's.

What is in the encoding:

- Arrays have k numbers per vertex, one per source of a batch: that of source j at vertex v is element k v + j. An edge
  is looked at once for all sources, and the k numbers lie next to each other.
- From a source, an edge u → v is *tight* where near[u] + w = near[v]. Shortest paths are made of tight edges.
- ``ready[v]`` is the step at which all shortest paths to v are counted, and v's tight edges are followed. By edges
  that is v's level plus the step at which the source begins, which ``near`` counts from, so there is no such array. By weight
  it is the step after that of the last tight edge into v: ``waiting[v]`` is how many are left. ``leaving[v]`` is how many
  tight edges lead out of v: from one source, those that have not been followed back.
- ``paths[v]`` is the number of shortest paths from the source to v: they are counted forward, step by step.
- ``share[v]`` is what each shortest path to v is worth to the edge that it comes by: 1 / paths[v], plus the
  shares of the vertices behind v. They are summed up backward. ``passing[v]`` grows by paths[v] times the shares behind v.
"""

from warpath.algorithms.centrality.brandes.batch import countless, vanished
from warpath.algorithms.centrality.brandes.sums import (
    BYTES,
    Dependencies,
    batch_of,
    dependencies,
)

__all__ = ["BYTES", "Dependencies", "batch_of", "countless", "dependencies", "vanished"]
