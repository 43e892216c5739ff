"""What an operator returns for the edges that come in, reduced: `warpath.aggregate` on the CPU.

The kernel is compiled for each operator, as that of `warpath.cpu.edge_operator`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of
from warpath.cpu.specialized import kernel_for
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.language.python import source
from warpath.language.tree import Function
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping_at

_CHUNK = 256  # vertices that a thread takes at a time: a guess
SUM, MIN, MAX = 0, 1, 2
REDUCTIONS = {"sum": SUM, "min": MIN, "max": MAX}


# OPERATOR {
@inlined
def operator(u_, v_, w_, faults):  # type: ignore[no-untyped-def]
    """The value of an edge."""
    return np.int64(0)


# } OPERATOR


@inlined
def element(vertex, layers, layer):  # type: ignore[no-untyped-def]
    """The place of a vertex's element; ``layers`` None: it has one."""
    return np.int32(vertex) if layers is None else np.int32(np.int32(vertex) * layers + layer)


@compiled
def kernel(  # type: ignore[no-untyped-def]
    thread, threads, sync, arcs, weights, vertices, among, layers, by, out, taken, arguments, faults
):
    """All vertices, or some, each once: a thread sums up a vertex's edges in their order."""
    arcs = unowned(arcs)
    n = np.uint64(arcs.offsets.shape[0] - 1 if vertices is None else vertices.shape[0])
    while True:
        first = np.uint64(atomic_add(taken, ZERO, np.int64(_CHUNK)))
        if first >= n or stopping_at(sync, first):
            return
        for i in range(first, np.minimum(first + np.uint64(_CHUNK), n)):
            v = i if vertices is None else np.uint64(vertices[i])
            for layer in range(1 if layers is None else layers):
                place = element(v, layers, layer)
                total = out[place]
                for arc in range(np.uint64(arcs.offsets[v]), np.uint64(arcs.offsets[v + ONE])):
                    if among is not None and not among[arcs.indices[arc]]:
                        continue
                    w = np.int32(1) if weights is None else weights[arc]
                    u = element(arcs.indices[arc], layers, layer)
                    value = operator(u, place, w, *arguments, faults)
                    if by == SUM:
                        total += value
                    elif value != value or (value < total if by == MIN else value > total):
                        total = value  # NaN stays, as in NumPy
                out[place] = total


def aggregate(
    graph: Graph,
    function: Function,
    arguments: tuple[Any, ...],
    by: str,
    out: NDArray[Any],
    threads: int,
    faults: NDArray[np.int64],
    checks: bool,
    *,
    layers: int = 1,
    vertices: NDArray[np.int32] | None = None,
    among: NDArray[np.int32] | None = None,
) -> None:
    """Reduce what an operator returns for the edges that come in to each vertex.

    Parameters
    ----------
    graph : Graph
    function : Function
        An operator on edges that returns a value.
    by : {"sum", "min", "max"}
    out : array of ``function.result``, shape (n · layers,)
        Holds what there is without edges, and takes the values.
    layers : int
        Elements of a vertex; with more than one the operator is called for each, with their places.
    vertices : int32 array, shape (k,), optional
        Those whose edges are looked at; by default all.
    among : int32 array, shape (j,), optional
        Those whose edges count; by default all.
    arguments, threads, faults, checks
        As of `warpath.cpu.edge_operator.traverse`.
    """
    followed = graph.reverse
    arcs, weights = arcs_of(followed), followed.weights if function.takes_weight else None
    specialized = kernel_for(__name__, source(function, checks=checks))
    taken = np.zeros(1, np.int64)
    flags = None
    if among is not None:
        flags = np.zeros(graph.num_vertices, bool)
        flags[among] = True
    team.run(
        specialized,
        threads,
        arcs,
        weights,
        vertices,
        flags,
        None if layers == 1 else np.int32(layers),
        REDUCTIONS[by],
        out,
        taken,
        arguments,
        faults,
    )
