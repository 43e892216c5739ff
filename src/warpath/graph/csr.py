"""CSR arrays that somebody else made: the checks, sorting, symmetry; and turning them round."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph import build, sort
from warpath.graph.arrays import Csr, made_on_gpu, module_for, module_of, readable, to_module
from warpath.graph.check import (
    as_ids,
    as_vector,
    as_vertex_count,
    as_weights,
    check_below,
    check_offsets,
    unequal,
)

Array = NDArray[Any]


def row_blocks(row_offsets: Array, arcs: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges of vertices, (first, last + 1), with at most ``arcs`` arcs or one vertex with arcs each."""
    first, n = 0, len(row_offsets) - 1
    while first < n:
        end = int(np.searchsorted(row_offsets, int(row_offsets[first]) + arcs, "right")) - 1
        last = min(max(end, first + 1), n)
        yield first, last
        first = last


def checked_csr(row_offsets: Any, column_indices: Any, weights: Any, device: str = "cpu") -> Csr:
    """The arrays as `Graph` holds them on a device, rows sorted; see `Graph.from_csr`."""
    xp, arrays = module_for(device), (row_offsets, column_indices, weights)
    if device == "cpu":
        return _checked(xp, *arrays, fetch=True)
    with made_on_gpu("a graph's arrays"):
        parts = _checked(xp, *arrays, fetch=False)
        return Csr(*(part if part is None else readable(part) for part in parts))


def _checked(xp: Any, row_offsets: Any, column_indices: Any, weights: Any, *, fetch: bool) -> Csr:
    """The arrays as ``xp``'s, right and sorted; on the host, or else where a GPU has them."""
    offsets = to_module(as_vector(row_offsets, "row_offsets", fetch=fetch), xp)
    indices = to_module(as_ids(column_indices, "column_indices", fetch=fetch), xp)
    n, m = as_vertex_count(max(len(offsets) - 1, 0)), len(indices)
    check_offsets(offsets, m, "row_offsets")
    offsets = xp.ascontiguousarray(offsets, np.int32 if m < 2**31 else np.int64)
    indices = check_below(indices, n, "column_indices")
    if weights is not None:
        weights = to_module(arc_weights(weights, m, fetch=fetch), xp)
    if fetch:
        return sorted_rows(offsets, indices, weights)
    if _rows_are_sorted(xp, offsets, indices):
        return Csr(offsets, indices, weights)
    sources = sort.expand_sources(xp, offsets, m)
    return sort.rows_of(xp, sort.GivenEdges(sources, indices, weights), 0, n)[0]


def sorted_rows(offsets: Array, indices: Array, weights: Array | None) -> Csr:
    """NumPy's arrays that are known to be right, each row ascending; parallel arcs keep their order."""
    if build.rows_are_sorted(offsets, indices):
        return Csr(offsets, indices, weights)
    sources = build.expand_sources(offsets)
    return Csr(*build.csr_from_arcs(sources, indices, weights, len(offsets) - 1))


def _rows_are_sorted(xp: Any, offsets: Any, indices: Any) -> bool:
    """Whether targets descend nowhere but where a row begins."""
    begins = xp.zeros(len(indices) + 1, bool)
    begins[offsets] = True
    return bool(xp.all((indices[1:] >= indices[:-1]) | begins[1:-1]))


def arc_weights(weights: Any, num_arcs: int, *, fetch: bool = True) -> Array:
    """Weights, once it is known that there is one for each arc."""
    weights = as_weights(weights, "weights", fetch=fetch)
    if len(weights) != num_arcs:
        raise unequal("weights", len(weights), num_arcs, "arc")
    return weights  # type: ignore[no-any-return]


def sources_of(csr: Csr) -> Any:
    """The source of each arc, int32, in the memory where the arcs are."""
    xp = module_of(csr.column_indices)
    if xp is np:
        return build.expand_sources(csr.row_offsets)
    return sort.expand_sources(xp, csr.row_offsets, len(csr.column_indices))


def transpose(csr: Csr) -> Csr:
    """The CSR of the reversed arcs, in the memory where the arcs are."""
    xp = module_of(csr.column_indices)
    if xp is np:
        return Csr(*build.transpose(*csr))
    with made_on_gpu(f"the reverse of {len(csr.column_indices):,} arcs"):
        return sort.transpose(xp, csr)


def check_symmetric(csr: Csr) -> None:
    """Refuse a graph that is not undirected.

    Raises
    ------
    ValueError
        If some arc's reverse is missing or has another weight.
    """
    xp, other = module_of(csr.column_indices), transpose(csr)
    same = all(bool(xp.array_equal(a, b)) for a, b in zip(csr[:2], other[:2], strict=True))
    if not same:
        tails, heads = sources_of(csr), csr.column_indices
        back_tails, back_heads = sources_of(other), other.column_indices
        i = int(xp.argmax((tails != back_tails) | (heads != back_heads)))
        arc, back = (int(tails[i]), int(heads[i])), (int(back_tails[i]), int(back_heads[i]))
        # Both lists ascend: the smaller one is missing in the other.
        raise _asymmetric(*(arc if arc < back else back[::-1]), "")
    if csr.weights is not None and not xp.array_equal(csr.weights, other.weights):
        # Parallel edges may come in another order; compare them as sets.
        arcs = sort.keys_of(xp, sources_of(csr), csr.column_indices)
        here, there = (_ordered_within(xp, arcs, side.weights) for side in (csr, other))
        if not xp.array_equal(here, there):
            i = int(xp.argmax(here != there))
            u, v = int(sources_of(csr)[i]), int(csr.column_indices[i])
            raise _asymmetric(u, v, f" of weight {here[i].item()}")


def _asymmetric(u: int, v: int, weight: str) -> ValueError:
    return ValueError(
        f"directed=False, but the arc {u} → {v} (vertices by number) has no reverse{weight}; "
        "pass directed=True, or Graph.from_edges(..., symmetrize=True)"
    )


def _ordered_within(xp: Any, groups: Any, values: Any) -> Any:
    """The values, ascending within each group of equal, ascending ``groups``."""
    order = xp.argsort(values, kind="stable")
    return values[order[xp.argsort(groups[order], kind="stable")]]
