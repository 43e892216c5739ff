"""From the ends of edges to CSR: the checks, the options, and which builder does it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import counted
from warpath.graph import build, sort
from warpath.graph.arrays import Csr, made_on_gpu, module_for, to_module
from warpath.graph.check import as_vertex_count, as_weights, check_below, unequal
from warpath.graph.compact import numbered_ends
from warpath.typing import MERGES

Array = NDArray[Any]


def csr_from_edges(
    source: Any,
    target: Any,
    weight: Any,
    *,
    n: int | None,
    mirror: bool,
    drop_self_loops: bool,
    merge: str,
    compact: bool | None,
    edge_ids: bool,
    device: str,
) -> tuple[Csr, int | None, Array | None, Array | None]:
    """CSR on a device, its number of self-loops where it came for nothing, names and edge ids.

    Arrays are checked where they lie and copied once they are known to be right.

    Parameters
    ----------
    mirror : bool
        Whether each arc's reverse is to be there as well.

    Others and what is raised: see `Graph.from_edges`.
    """
    if merge not in MERGES:
        raise ValueError(f"merge must be 'keep', 'min' or 'sum', not {merge!r}")
    if edge_ids and (merge != "keep" or device != "cpu"):
        raise ValueError(
            "edge_ids=True is for device='cpu' and merge='keep', without symmetrize=True"
        )
    xp = module_for(device)
    fetch = xp is np
    source, target, least, names = numbered_ends(
        source, target, compact=compact, n=n, fetch=fetch
    )  # fmt: skip
    if len(source) != len(target):
        raise ValueError(
            f"source has {counted(len(source), 'entry', 'entries')} but target has {len(target)}: "
            "give one of each per edge"
        )
    if weight is not None:
        weight = as_weights(weight, fetch=fetch)
        if len(weight) != len(source):
            raise unequal("weight", len(weight), len(source), "edge")
    n = as_vertex_count(least if n is None else n)
    source, target = check_below(source, n, "source"), check_below(target, n, "target")
    if device == "cpu":
        ids = None
        if edge_ids:
            ids = np.arange(len(source), dtype=np.int32 if len(source) < 2**31 else np.int64)
        if drop_self_loops:
            chosen = source != target
            source, target, weight, ids = select(chosen, source, target, weight, ids)
        csr = build.csr_from_arcs(source, target, weight, n, mirror=mirror)
        if merge != "keep":
            csr = build.merge_parallel(*csr, merge)
        of_arcs = None
        if ids is not None:  # the sort is stable: in the same order as weights
            of_arcs = build.csr_from_arcs(source, target, ids, n, mirror=mirror)[2]
        return Csr(*csr), None, names, of_arcs
    with made_on_gpu(f"building a graph of {len(source):,} edges"):
        source, target = to_module(source, xp), to_module(target, xp)
        weight = None if weight is None else to_module(weight, xp)
        built = sort.rows_of(
            xp, sort.GivenEdges(source, target, weight), 0, n,
            mirror=mirror, drop_self_loops=drop_self_loops, merge=merge,
        )  # fmt: skip
        return *built, names, None


def select(keep: Array, *arrays: Array | None) -> tuple[Any, ...]:
    """The elements to keep of each array that there is."""
    return tuple(None if array is None else array[keep] for array in arrays)
