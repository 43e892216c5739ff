"""Graphs made by rule: R-MAT, random, road, mesh and circuit-like ones, small known ones.

Every generator takes a ``seed`` and draws by counter:
the same seed gives the same graph, on any machine and with any number of threads.

Common parameters:

``weights``
    ``(low, high)``: both integers for int32 weights, uniform on low … high, both ends
    included; with a float among them for float64 weights, uniform from low to high.
    None: no weights. The two arcs of an undirected edge weigh the same.
``seed``
    An integer from 0 to 2⁶⁴ − 1.
``device``
    ``"cpu"``, or ``"cuda"``: draw and build on the current CUDA device, and leave the graph
    there (see `warpath.Graph.from_edges`). It is the same graph. Where CUDA cannot be used,
    a `warpath.DeviceUnavailableError` says what is missing.

On a terminal a progress bar appears once drawing or building has taken a second: see
`warpath.show_progress`.
"""

from warpath.generate.configuration import configuration
from warpath.generate.delaunay import delaunay
from warpath.generate.erdos_renyi import erdos_renyi
from warpath.generate.grid import grid
from warpath.generate.hexagonal import hexagonal
from warpath.generate.local import local
from warpath.generate.mesh import mesh
from warpath.generate.named import named
from warpath.generate.rmat import rmat
from warpath.generate.roads import roads
from warpath.generate.weights import negative_weights

__all__ = [
    "configuration",
    "delaunay",
    "erdos_renyi",
    "grid",
    "hexagonal",
    "local",
    "mesh",
    "named",
    "negative_weights",
    "rmat",
    "roads",
]
