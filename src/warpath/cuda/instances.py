"""Which instances of the kernel templates Python asks for."""

from warpath.balance import Technique

THREADS = 512  # a block; two of them, of 64 registers a thread, fill a multiprocessor's registers
SPARSE = 8  # arcs a vertex, below which a graph is taken to have a large diameter: a guess
SEARCH_THREADS = 384  # of tree.cuh's search: the same with 80 registers a thread


def bfs_kernel(offset_bytes: int, balance: Technique, predecessors: bool, trace: bool) -> str:
    """The kernel of ``bfs.cuh``, as C++ names it.

    Parameters
    ----------
    offset_bytes : {4, 8}
        Size of a row offset.
    predecessors, trace : bool
        Whether it keeps them.
    """
    arguments = (
        "unsigned" if offset_bytes == 4 else "unsigned long long",
        f"warpath::{balance.kernel}",
        str(predecessors).lower(),
        str(trace).lower(),
        str(THREADS),
    )
    return f"warpath::bfs<{', '.join(arguments)}>"


_CPP = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


def _offset(offset_bytes: int) -> str:
    return "unsigned" if offset_bytes == 4 else "unsigned long long"


def tight_sweep_kernel(offset_bytes: int, weight: str, distance: str, pull: bool) -> str:
    """The sweep of ``tree.cuh``.

    Parameters
    ----------
    weight, distance : {"int32", "int64", "float32", "float64"}
        Names of dtypes: the same, or int32 weights for int64 distances.
    pull : bool
        For graphs that are symmetric.
    """
    types = f"{_offset(offset_bytes)}, {_CPP[weight]}, {_CPP[distance]}"
    return f"warpath::tight_sweep<{types}, {str(pull).lower()}, {THREADS}>"


def tight_search_kernel(offset_bytes: int, weight: str, distance: str) -> str:
    """The search of ``tree.cuh``; parameters as of `tight_sweep_kernel`."""
    types = f"{_offset(offset_bytes)}, {_CPP[weight]}, {_CPP[distance]}"
    return f"warpath::tight_search<{types}, {SEARCH_THREADS}>"


def roots_kernel(distance: str) -> str:
    """The count of roots of ``tree.cuh``."""
    return f"warpath::count_roots<{_CPP[distance]}, {THREADS}>"


def cycle_kernel() -> str:
    """The kernel of ``parent_cycle.cuh``."""
    return f"warpath::parent_cycle<{THREADS}>"


def sssp_kernel(
    offset_bytes: int,
    method: str,
    weight: str,
    distance: str,
    balance: Technique,
    parents: bool,
    narrow: bool,
    trace: bool,
) -> str:
    """The kernel of ``sssp.cuh``.

    Parameters
    ----------
    method : {"NearFar", "NearFarList", "Packed", "Queueless"}
        Of ``relaxing.cuh``, where its name ends in ``Relaxing``.
    weight, distance : {"int32", "int64", "float32", "float64"}
        Names of dtypes: the same, or int32 weights for int64 distances.
    parents, trace : bool
        Whether it keeps them.
    narrow : bool
        Whether a cluster of blocks, or one block, runs iterations of few arcs alone.
    """
    relaxing = (
        f"warpath::{method}Relaxing<{_CPP[weight]}, {_CPP[distance]}, {str(parents).lower()}>"
    )
    options = f"{str(narrow).lower()}, {str(trace).lower()}, {THREADS}"
    return (
        f"warpath::sssp<{_offset(offset_bytes)}, {relaxing}, warpath::{balance.kernel}, {options}>"
    )
