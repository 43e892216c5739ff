"""Which instances of the kernel templates Python asks for."""

from warpath.balance import Technique

THREADS = 512  # a block; two of them, of 64 registers a thread, fill a multiprocessor's registers
BATCH_THREADS = 256  # of batch.cuh, 80 registers each: a search for itself, of small frontiers
SEARCH_THREADS = 384  # of tree.cuh's search: the same with 80 registers a thread
ASYNC_THREADS = 384  # of engine/program.cuh where blocks run asynchronously, likewise


def bfs_kernel(
    offset_bytes: int, balance: Technique, predecessors: bool, trace: bool, threads: int = THREADS
) -> str:
    """The kernel of ``bfs.cuh``, as C++ names it.

    Parameters
    ----------
    offset_bytes : {4, 8}
        Size of a row offset.
    predecessors, trace : bool
        Whether it keeps them.
    threads : int
        Per block.
    """
    arguments = (
        _offset(offset_bytes),
        f"warpath::{balance.kernel}",
        str(predecessors).lower(),
        str(trace).lower(),
        str(threads),
    )
    return f"warpath::bfs<{', '.join(arguments)}>"


def bfs_async_kernel(offset_bytes: int, trace: bool, threads: int = THREADS) -> str:
    """The kernel of ``algorithms/bfs_async.cuh``; parameters as of `bfs_kernel`."""
    return f"warpath::bfs_async<{_offset(offset_bytes)}, {str(trace).lower()}, {threads}>"


def program_kernel(
    offset_bytes: int,
    algorithm: str,
    arguments: str,
    balance: Technique,
    asynchronous: bool,
    trace: bool,
    threads: int,
) -> str:
    """The kernel of ``engine/program.cuh``.

    Parameters
    ----------
    algorithm : str
        A template of ``cuda/kernels/algorithms``; what changes it stands before it, with its own
        argument behind a colon: ``"SingleBlock Filtered:HashTable LevelsWithDuplicates"``.
    arguments : str
        Of that template, as C++ has them; empty for a plain struct.
    asynchronous : bool
        Whether blocks may run on without waiting for each other.
    """
    options = f"{str(asynchronous).lower()}, {str(trace).lower()}, {threads}"
    parts = f"{_algorithm(algorithm, arguments)}, warpath::{balance.kernel}"
    return f"warpath::program<{_offset(offset_bytes)}, {parts}, {options}>"


def _algorithm(algorithm: str, arguments: str) -> str:
    """As C++ has it."""
    *changes, last = algorithm.split()
    base, _, more = last.partition(":")
    given = ", ".join(filter(None, (arguments, more and f"warpath::{more}")))
    name = f"warpath::{base}<{given}>" if given else f"warpath::{base}"
    for change in reversed(changes):
        template, _, more = change.partition(":")
        name = f"warpath::{template}<{name}{more and f', warpath::{more}'}>"
    return name


def bfs_levels_kernel(
    offset_bytes: int,
    algorithm: str,
    balance: Technique,
    predecessors: bool,
    trace: bool,
    threads: int = THREADS,
) -> str:
    """A program of ``algorithms/bfs_levels.cuh``; others as of `bfs_kernel`.

    Parameters
    ----------
    algorithm : str
        `warpath.frontier.Policy.algorithm`.
    """
    arguments = str(predecessors).lower()
    return program_kernel(offset_bytes, algorithm, arguments, balance, False, trace, threads)


_CPP = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}


def _offset(offset_bytes: int) -> str:
    return "unsigned" if offset_bytes == 4 else "unsigned long long"


# What a weight is called in ``core/weight.cuh``, by the algebra.
_WEIGHTS = {
    "shortest": "{}",
    "minimax": "warpath::MaxOf<{}>",
    "widest": "warpath::MinOf<{}>",
    "most-reliable": "warpath::Product<{}>",
}
ALGEBRAS = tuple(_WEIGHTS)


def _weight(dtype: str, algebra: str) -> str:
    return _WEIGHTS[algebra].format(_CPP[dtype])


def tight_sweep_kernel(
    offset_bytes: int,
    weight: str,
    distance: str,
    pull: bool,
    algebra: str = "shortest",
    ordered: bool = True,
    threads: int = THREADS,
) -> str:
    """The sweep of ``tree.cuh``.

    Parameters
    ----------
    weight, distance : {"int32", "int64", "float32", "float64"}
        Names of dtypes: the same, or int32 weights for int64 distances.
    pull : bool
        For graphs that are symmetric.
    algebra : str
        One of `ALGEBRAS`.
    ordered : bool
        Whether only arcs that lengthen a path count.
    """
    types = f"{_offset(offset_bytes)}, {_weight(weight, algebra)}, {_CPP[distance]}"
    return f"warpath::tight_sweep<{types}, {str(pull).lower()}, {str(ordered).lower()}, {threads}>"


def tight_search_kernel(
    offset_bytes: int,
    weight: str,
    distance: str,
    algebra: str = "shortest",
    threads: int = SEARCH_THREADS,
) -> str:
    """The search of ``tree.cuh``; parameters as of `tight_sweep_kernel`."""
    types = f"{_offset(offset_bytes)}, {_weight(weight, algebra)}, {_CPP[distance]}"
    return f"warpath::tight_search<{types}, {threads}>"


def st_kernel(offset_bytes: int, balance: Technique, threads: int = THREADS) -> str:
    """The kernel of ``st.cuh``; parameters as of `bfs_kernel`."""
    return f"warpath::st<{_offset(offset_bytes)}, warpath::{balance.kernel}, {threads}>"


def explain_kernel(balance: Technique, threads: int) -> str:
    """The kernel of ``explain.cuh``."""
    return f"warpath::explain<warpath::{balance.kernel}, {threads}>"


def profile_kernel(offset_bytes: int, balance: Technique, threads: int = THREADS) -> str:
    """The kernel of ``profile.cuh``; parameters as of `bfs_kernel`."""
    return f"warpath::profile<{_offset(offset_bytes)}, warpath::{balance.kernel}, {threads}>"


def walk_kernel() -> str:
    """The kernel of ``walk.cuh``."""
    return "warpath::walk_back"


def batch_kernel(algorithm: str, arguments: str, trace: bool, threads: int = BATCH_THREADS) -> str:
    """A program of ``batch.cuh``, as its others for 32-bit offsets; see `program_kernel`."""
    options = f"{str(trace).lower()}, {threads}"
    return f"warpath::batch<unsigned, {_algorithm(algorithm, arguments)}, {options}>"


def batch_bfs_kernel(predecessors: bool, trace: bool, threads: int = BATCH_THREADS) -> str:
    """Breadth-first searches at once."""
    return batch_kernel("LevelsWithStatusBits", str(predecessors).lower(), trace, threads)


def batch_sssp_kernel(
    weight: str,
    distance: str,
    trace: bool,
    algebra: str = "shortest",
    threads: int = BATCH_THREADS,
) -> str:
    """Shortest paths at once; parameters as of `sssp_kernel`."""
    arguments = f"{_weight(weight, algebra)}, {_CPP[distance]}, false"
    return batch_kernel("NearFarRelaxing", arguments, trace, threads)


def batch_tree_kernel(
    weight: str, distance: str, pull: bool, algebra: str = "shortest", threads: int = BATCH_THREADS
) -> str:
    """The predecessors of ``batch.cuh``; parameters as of `tight_sweep_kernel`."""
    types = f"{_weight(weight, algebra)}, {_CPP[distance]}"
    return f"warpath::batch_tree<unsigned, {types}, {str(pull).lower()}, {threads}>"


def roots_kernel(distance: str, threads: int = THREADS) -> str:
    """The count of roots of ``tree.cuh``."""
    return f"warpath::count_roots<{_CPP[distance]}, {threads}>"


def cycle_kernel(threads: int = THREADS) -> str:
    """The kernel of ``parent_cycle.cuh``."""
    return f"warpath::parent_cycle<{threads}>"


def stale_parents_kernel(
    offset_bytes: int, weight: str, distance: str, threads: int = THREADS
) -> str:
    """The filter of ``parent_cycle.cuh``; parameters as of `tight_sweep_kernel`."""
    types = f"{_offset(offset_bytes)}, {_CPP[weight]}, {_CPP[distance]}"
    return f"warpath::drop_stale_parents<{types}, {threads}>"


def edge_class_kernel(name: str, offset_bytes: int, *types: str, threads: int = THREADS) -> str:
    """One of the kernels of ``edge_classes.cuh``.

    Parameters
    ----------
    name : {"count_in_degrees", "classify_edges", "relax_deferred_edges"}
    offset_bytes : {4, 8}
    *types : {"int32", "int64", "float32", "float64"}
        Of the weights; for "relax_deferred_edges" of the distances, too.
    """
    arguments = (_offset(offset_bytes), *(_CPP[type_] for type_ in types), str(threads))
    return f"warpath::{name}<{', '.join(arguments)}>"


def components_kernel(
    offset_bytes: int, directed: bool, balance: Technique, threads: int = THREADS
) -> str:
    """The program of ``algorithms/components.cuh``; others as of `bfs_kernel`."""
    arguments = str(directed).lower()
    return program_kernel(offset_bytes, "Components", arguments, balance, False, False, threads)


def sssp_kernel(
    offset_bytes: int,
    algorithm: str,
    weight: str,
    distance: str,
    balance: Technique,
    parents: bool,
    asynchronous: bool,
    trace: bool,
    algebra: str = "shortest",
    threads: int | None = None,
) -> str:
    """A program of ``algorithms/sssp.cuh``.

    Parameters
    ----------
    algorithm : str
        As `program_kernel` takes it: ``"ClassifiedRelaxing Scattered PackedRelaxing"``.
    weight, distance : {"int32", "int64", "float32", "float64"}
        Names of dtypes: the same, or int32 weights for int64 distances.
    parents, trace : bool
        Whether it keeps them.
    asynchronous : bool
        Whether blocks may run on without waiting for each other.
    algebra : str
        One of `ALGEBRAS`.
    """
    arguments = f"{_weight(weight, algebra)}, {_CPP[distance]}, {str(parents).lower()}"
    threads = threads or (ASYNC_THREADS if asynchronous else THREADS)
    return program_kernel(offset_bytes, algorithm, arguments, balance, asynchronous, trace, threads)
