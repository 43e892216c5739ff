"""From undirected edges in order to CSR, without a sort."""

import numpy as np

from warpath.graph.build import Array, read_only
from warpath.parallel.jit import compiled


def csr_from_sorted_edges(
    source: Array, target: Array, weight: Array | None, n: int
) -> tuple[Array, Array, Array | None]:
    """CSR with sorted rows of undirected edges, given in the order of (source, target) as `Graph.edges` gives them.

    The same as `csr_from_arcs` with ``mirror``, without a sort: what a row has of smaller vertices comes
    from edges that end there, then what it has of larger ones.
    """
    m = 2 * len(source) - int(np.count_nonzero(source == target))
    offsets = np.zeros(n + 1, np.int32 if m < 2**31 else np.int64)
    indices, weighted = np.empty(m, np.int32), weight is not None
    given = weight if weight is not None else np.empty(0, np.int32)
    weights = np.empty(m if weighted else 0, given.dtype)
    _mirror_sorted(
        read_only(source), read_only(target), read_only(given), weighted, np.empty(n, offsets.dtype),
        offsets, indices, weights,
    )  # fmt: skip
    return offsets, indices, weights if weighted else None


@compiled
def _mirror_sorted(source, target, weight, weighted, place, offsets, indices, weights):  # type: ignore[no-untyped-def]
    """Fill the CSR; ``offsets`` is 0 at first."""
    for edge in range(source.shape[0]):
        offsets[source[edge] + 1] += 1
        if source[edge] != target[edge]:
            offsets[target[edge] + 1] += 1
    for v in range(place.shape[0]):
        place[v] = offsets[v]
        offsets[v + 1] += offsets[v]
    for edge in range(source.shape[0]):
        u, v = source[edge], target[edge]
        if u != v:
            indices[place[v]] = u
            if weighted:
                weights[place[v]] = weight[edge]
            place[v] += 1
    for edge in range(source.shape[0]):
        u = source[edge]
        indices[place[u]] = target[edge]
        if weighted:
            weights[place[u]] = weight[edge]
        place[u] += 1
