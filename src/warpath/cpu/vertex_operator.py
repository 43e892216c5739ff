"""An operator on vertices: `warpath.compute`, `filter` and `reduce` on the CPU.

The kernel is compiled for each operator, as that of `warpath.cpu.edge_operator`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.specialized import kernel_for
from warpath.cpu.unsigned import ZERO
from warpath.language.python import source
from warpath.language.tree import Function
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import stopping_at

_CHUNK = 1024  # vertices that a thread takes at a time: a guess


# OPERATOR {
@inlined
def operator(v_, faults):  # type: ignore[no-untyped-def]
    """What is computed of a vertex."""
    return False


# } OPERATOR


@compiled
def kernel(  # type: ignore[no-untyped-def]
    thread, threads, sync, count, vertices, layers, out, taken, arguments, faults
):
    """All ``vertices``, each once, or where that is None the first ``count``; or their elements, of ``layers``, if that is not None."""
    count = np.uint64(count)
    while True:
        first = np.uint64(atomic_add(taken, ZERO, np.int64(_CHUNK)))
        if first >= count or stopping_at(sync, first):
            return
        for i in range(first, np.minimum(first + np.uint64(_CHUNK), count)):
            if vertices is None:
                v = np.int32(i)
            elif layers is None:
                v = np.int32(vertices[i])
            else:
                v = np.int32(np.uint64(vertices[i // layers]) * layers + i % layers)
            value = operator(v, *arguments, faults)
            if out is not None:
                out[i] = value


def for_vertices(
    vertices: NDArray[np.int32] | None,
    count: int,
    function: Function,
    arguments: tuple[Any, ...],
    out: NDArray[Any] | None,
    threads: int,
    faults: NDArray[np.int64],
    checks: bool,
    layers: int = 1,
) -> None:
    """Call an operator on vertices, each once.

    Parameters
    ----------
    vertices : int32 array, shape (count,), or None
        None: 0 … count − 1.
    out : array, shape (count · layers,), or None
        Takes what it returns, of dtype ``function.result``.
    layers : int
        Elements of a vertex; with more than one the operator is called for each, with its place: below 2³¹.
    function, arguments, threads, faults, checks
        As of `warpath.cpu.edge_operator.traverse`.
    """
    if count == 0:
        return
    specialized = kernel_for(__name__, source(function, checks=checks))
    taken = np.zeros(1, np.int64)
    per_vertex = None if layers == 1 else np.uint64(layers)
    team.run(
        specialized, threads, count * layers, vertices, per_vertex, out, taken, arguments, faults
    )
