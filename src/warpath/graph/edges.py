"""From the ends of edges to CSR: the checks, the options, and which builder does it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph import build, sort
from warpath.graph.arrays import Csr, made_on_gpu, module_for, to_module
from warpath.graph.check import as_ids, as_vertex_count, as_weights, check_below

Array = NDArray[Any]
MERGES = ("keep", "min", "sum")


def csr_from_edges(
    source: Any,
    target: Any,
    weight: Any,
    *,
    n: int | None,
    mirror: bool,
    drop_self_loops: bool,
    merge: str,
    device: str,
) -> tuple[Csr, int | None]:
    """CSR on a device, and its number of self-loops where it came for nothing.

    Arrays are checked where they lie and copied once they are known to be right.

    Parameters
    ----------
    mirror : bool
        Whether each arc's reverse is to be there as well.

    Others and what is raised: see `Graph.from_edges`.
    """
    if merge not in MERGES:
        raise ValueError(f"merge must be 'keep', 'min' or 'sum', not {merge!r}")
    xp = module_for(device)
    fetch = xp is np
    source = as_ids(source, "source", fetch=fetch)
    target = as_ids(target, "target", fetch=fetch)
    if len(source) != len(target):
        raise ValueError(f"{len(source)} sources but {len(target)} targets: one each an edge")
    if weight is not None:
        weight = as_weights(weight, fetch=fetch)
        if len(weight) != len(source):
            raise ValueError(f"{len(weight)} weights for {len(source)} edges: one each an edge")
    n = as_vertex_count(_least_n(source, target) if n is None else n)
    source, target = check_below(source, n, "source"), check_below(target, n, "target")
    if device == "cpu":
        if drop_self_loops:
            source, target, weight = select(source != target, source, target, weight)
        csr = build.csr_from_arcs(source, target, weight, n, mirror=mirror)
        if merge != "keep":
            csr = build.merge_parallel(*csr, merge)
        return Csr(*csr), None
    with made_on_gpu(f"building a graph of {len(source):,} edges"):
        source, target = to_module(source, xp), to_module(target, xp)
        weight = None if weight is None else to_module(weight, xp)
        return sort.csr_from_arcs(
            xp, source, target, weight, n,
            mirror=mirror, drop_self_loops=drop_self_loops, merge=merge,
        )  # fmt: skip


def select(keep: Array, *arrays: Array | None) -> tuple[Any, ...]:
    """Of each array that there is the elements to keep."""
    return tuple(None if array is None else array[keep] for array in arrays)


def _least_n(source: Array, target: Array) -> int:
    return max((int(ids.max()) + 1 for ids in (source, target) if len(ids)), default=0)
