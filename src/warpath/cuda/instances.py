"""Which instances of the kernel templates Python asks for, as C++ names them.

Parameters of several functions:

- ``offset_bytes``, 4 or 8, is the size of a row offset.
- ``weight`` and ``distance`` are names of dtypes: the same, or int32 weights for int64 distances.
- ``predecessors``, ``parents`` and ``trace`` say whether the kernel writes them.
- ``algebra`` is one of `ALGEBRAS` or "custom"; ``threads`` are those of a block.
"""

from warpath.balance import Technique
from warpath.language.cpp import NAMES

THREADS = 512  # a block; two of them, of 64 registers per thread, fill a multiprocessor's registers
BATCH_THREADS = 256  # of batch.cuh, 80 registers each: a search for itself, of small frontiers
SEARCH_THREADS = 384  # of tree.cuh's search: the same with 80 registers per thread
BLOCKING_THREADS = (
    1024  # of propagation_blocking.cuh: one block, which has a multiprocessor's shared memory
)
ASYNC_THREADS = 384  # of engine/program.cuh where blocks run asynchronously, likewise

_CPP = {"int16": "short", **NAMES}
# What a weight is called in ``core/weight.cuh``, by the algebra.
_WEIGHTS = {
    "shortest": "{}",
    "minimax": "warpath::MaxOf<{}>",
    "widest": "warpath::MinOf<{}>",
    "most-reliable": "warpath::Product<{}>",
}
ALGEBRAS = tuple(_WEIGHTS)
_CUSTOM = "warpath::Custom<{}, warpath::UserRule>"  # of a header of `warpath.cuda.custom_algebra`


def _instance(template: str, *arguments: object) -> str:
    """A template with its arguments."""
    return f"warpath::{template}<{', '.join(map(_cpp, arguments))}>"


_OPERATOR = "warpath::UserOperator"  # what a header of `warpath.cuda.operators` has


def _cpp(argument: object) -> str:
    if isinstance(argument, bool):
        return str(argument).lower()
    if isinstance(argument, Technique):
        return f"warpath::{argument.kernel}"
    return str(argument)


def _offset(offset_bytes: int) -> str:
    return "unsigned" if offset_bytes == 4 else "unsigned long long"


def _types(weight: str, distance: str, algebra: str = "shortest") -> tuple[str, str]:
    template = _CUSTOM if algebra == "custom" else _WEIGHTS[algebra]
    return template.format(_CPP[weight]), _CPP[distance]


def _algorithm(algorithm: str, *arguments: object) -> str:
    *changes, last = algorithm.split()
    base, _, more = last.partition(":")
    given = [*arguments, *([f"warpath::{more}"] if more else [])]
    name = _instance(base, *given) if given else f"warpath::{base}"
    for change in reversed(changes):
        template, _, more = change.partition(":")
        name = _instance(template, name, *([f"warpath::{more}"] if more else []))
    return name


def program_kernel(
    offset_bytes: int,
    algorithm: str,
    arguments: tuple[object, ...],
    balance: Technique,
    asynchronous: bool = False,
    trace: bool = False,
    threads: int = THREADS,
    several_gpus: bool = False,
) -> str:
    """The kernel of ``engine/program.cuh``.

    Parameters
    ----------
    algorithm : str
        A template of ``cuda/kernels/algorithms``; what changes it stands before it, with its own
        argument behind a colon: ``"SingleBlock Filtered:HashTable LevelsWithDuplicates"``.
    arguments : tuple
        Those of that template: bools, numbers, C++'s names of types.
    asynchronous : bool
        Whether blocks may run on without waiting for each other.
    several_gpus : bool
        Whether it is one of several GPUs' (engine/multi_gpu.cuh).
    """
    name, kernel = _algorithm(algorithm, *arguments), "multi_gpu_" * several_gpus + "program"
    return _instance(kernel, _offset(offset_bytes), name, balance, asynchronous, trace, threads)


def bfs_kernel(
    offset_bytes: int, balance: Technique, predecessors: bool, trace: bool, threads: int = THREADS
) -> str:
    """The kernel of ``bfs.cuh``."""
    return _instance("bfs", _offset(offset_bytes), balance, predecessors, trace, threads)


def multi_gpu_bfs_kernel(
    offset_bytes: int, balance: Technique, trace: bool, threads: int = THREADS
) -> str:
    """The kernel of ``bfs.cuh`` for several GPUs, with predecessors."""
    return _instance("multi_gpu_bfs", _offset(offset_bytes), balance, trace, threads)


def bfs_async_kernel(offset_bytes: int, trace: bool, threads: int = THREADS) -> str:
    """The kernel of ``algorithms/bfs_async.cuh``."""
    return _instance("bfs_async", _offset(offset_bytes), trace, threads)


def bfs_levels_kernel(
    offset_bytes: int,
    algorithm: str,
    balance: Technique,
    predecessors: bool,
    trace: bool,
    threads: int = THREADS,
) -> str:
    """A program of ``algorithms/bfs_levels.cuh``: `warpath.frontier.Policy.algorithm`."""
    return program_kernel(
        offset_bytes, algorithm, (predecessors,), balance, trace=trace, threads=threads
    )


def components_kernel(
    offset_bytes: int, directed: bool, initialized: bool, balance: Technique, threads: int = THREADS
) -> str:
    """The program of ``algorithms/components.cuh``."""
    return program_kernel(
        offset_bytes, "Components", (directed, initialized), balance, threads=threads
    )


def cores_kernel(offset_bytes: int, balance: Technique, threads: int = THREADS) -> str:
    """The program of ``algorithms/cores.cuh``."""
    return program_kernel(offset_bytes, "SmallFrontiers Peeling", (), balance, threads=threads)


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
    several_gpus: bool = False,
    threads: int | None = None,
) -> str:
    """A program of ``algorithms/sssp.cuh``; others as of `program_kernel`."""
    arguments = *_types(weight, distance, algebra), parents
    threads = threads or (ASYNC_THREADS if asynchronous else THREADS)
    return program_kernel(
        offset_bytes, algorithm, arguments, balance, asynchronous, trace, threads, several_gpus
    )


def st_kernel(offset_bytes: int, balance: Technique, threads: int = THREADS) -> str:
    """The kernel of ``st.cuh``."""
    return _instance("st", _offset(offset_bytes), balance, threads)


def batch_kernel(
    algorithm: str, arguments: tuple[object, ...], trace: bool, threads: int = BATCH_THREADS
) -> str:
    """A program of ``batch.cuh``, for 32-bit offsets; others as of `program_kernel`."""
    return _instance("batch", _offset(4), _algorithm(algorithm, *arguments), trace, threads)


def batch_bfs_kernel(predecessors: bool, trace: bool, threads: int = BATCH_THREADS) -> str:
    """Breadth-first searches at once."""
    return batch_kernel("LevelsWithStatusBits", (predecessors,), trace, threads)


def batch_sssp_kernel(
    weight: str, distance: str, trace: bool, algebra: str = "shortest", threads: int = BATCH_THREADS
) -> str:
    """Shortest paths at once."""
    arguments = *_types(weight, distance, algebra), False
    return batch_kernel("NearFarRelaxing", arguments, trace, threads)


def batch_tree_kernel(
    weight: str, distance: str, pull: bool, algebra: str = "shortest", threads: int = BATCH_THREADS
) -> str:
    """The predecessors of ``batch.cuh``; others as of `tight_sweep_kernel`."""
    return _instance("batch_tree", _offset(4), *_types(weight, distance, algebra), pull, threads)


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
    pull : bool
        For graphs that are symmetric.
    ordered : bool
        Whether only arcs that lengthen a path count.
    """
    types = _types(weight, distance, algebra)
    return _instance("tight_sweep", _offset(offset_bytes), *types, pull, ordered, threads)


def tight_search_kernel(
    offset_bytes: int,
    weight: str,
    distance: str,
    algebra: str = "shortest",
    threads: int = SEARCH_THREADS,
) -> str:
    """The search of ``tree.cuh``."""
    types = _types(weight, distance, algebra)
    return _instance("tight_search", _offset(offset_bytes), *types, threads)


def roots_kernel(distance: str, threads: int = THREADS) -> str:
    """The count of roots of ``tree.cuh``."""
    return _instance("count_roots", _CPP[distance], threads)


def cycle_kernel(threads: int = THREADS) -> str:
    """The kernel of ``parent_cycle.cuh``."""
    return _instance("parent_cycle", threads)


def stale_parents_kernel(
    offset_bytes: int, weight: str, distance: str, threads: int = THREADS
) -> str:
    """The filter of ``parent_cycle.cuh``."""
    types = _types(weight, distance)
    return _instance("drop_stale_parents", _offset(offset_bytes), *types, threads)


def edge_class_kernel(name: str, offset_bytes: int, *types: str, threads: int = THREADS) -> str:
    """One of the kernels of ``edge_classes.cuh``.

    Parameters
    ----------
    name : {"count_in_degrees", "classify_edges", "relax_deferred_edges"}
    *types : {"int32", "int64", "float32", "float64"}
        The weights' dtype; for "relax_deferred_edges" the distances' too.
    """
    return _instance(name, _offset(offset_bytes), *(_CPP[one] for one in types), threads)


def explain_kernel(balance: Technique, threads: int) -> str:
    """The kernel of ``explain.cuh``."""
    return _instance("explain", balance, threads)


def profile_kernel(offset_bytes: int, balance: Technique, threads: int = THREADS) -> str:
    """The kernel of ``profile.cuh``."""
    return _instance("profile", _offset(offset_bytes), balance, threads)


def edge_operator_kernel(
    offset_bytes: int,
    algorithm: str,
    balance: Technique,
    asynchronous: bool = False,
    threads: int = THREADS,
) -> str:
    """A program of ``algorithms/edge_operator.cuh``, for ``UserOperator``; ``asynchronous`` as of `program_kernel`."""
    return program_kernel(
        offset_bytes, algorithm, (_OPERATOR,), balance, asynchronous, threads=threads
    )


def vertex_operator_kernel(threads: int = THREADS) -> str:
    """The kernel of ``vertices.cuh``, likewise."""
    return _instance("for_vertices", _OPERATOR, threads)


def reduce_kernel(reduction: str, truth: bool, threads: int = THREADS) -> str:
    """The kernel of ``vertices.cuh`` that reduces, likewise.

    Parameters
    ----------
    reduction : {"Sum", "Min", "Max"}
    truth : bool
        Whether of each value it only matters whether it is true.
    """
    return _instance("reduce_vertices", _OPERATOR, f"warpath::{reduction}", truth, threads)


def filter_kernel(threads: int = THREADS) -> str:
    """The kernel of ``vertices.cuh`` that keeps vertices, likewise."""
    return _instance("filter_vertices", _OPERATOR, threads)


def aggregate_kernel(
    offset_bytes: int,
    reduction: str,
    width: int,
    scatters: bool,
    balance: Technique,
    threads: int = THREADS,
) -> str:
    """The kernel of ``aggregate.cuh``, likewise; ``reduction`` is "Sum", "Min" or "Max", ``width`` the lanes of an edge."""
    parts = _OPERATOR, f"warpath::{reduction}", width, scatters, balance
    return _instance("aggregate", _offset(offset_bytes), *parts, threads)


def list_rows_kernel(offset_bytes: int, threads: int = THREADS) -> str:
    """The kernel of ``list_rows.cuh``."""
    return _instance("list_rows", _offset(offset_bytes), threads)


# Places of a table that a warp has, and a block: half of them are filled, at most. Guesses.
_WARP_SLOTS, _BLOCK_SLOTS = 128, 4096


def triangles_kernel(offset_bytes: int, in_block: bool, threads: int = THREADS) -> str:
    """The kernel of ``triangles.cuh``."""
    slots = _BLOCK_SLOTS if in_block else _WARP_SLOTS
    return _instance("triangles", _offset(offset_bytes), slots, in_block, threads)


def tiles_kernel(
    name: str, offset_bytes: int, size_of_columns: int, threads: int = BLOCKING_THREADS
) -> str:
    """A kernel of ``propagation_blocking.cuh`` that makes tiles: "count_tiles" or "fill_tiles"."""
    return _instance(name, _offset(offset_bytes), size_of_columns, threads)


def split_kernel(threads: int = BLOCKING_THREADS) -> str:
    """The kernel of ``propagation_blocking.cuh`` that writes tiles in both orders."""
    return _instance("split_tiles", threads)


def propagate_kernel(value: str, size_of_columns: int, threads: int = BLOCKING_THREADS) -> str:
    """The first kernel of sums by ``propagation_blocking.cuh``, of values of this dtype."""
    return _instance("propagate", _CPP[value], size_of_columns, threads)


def accumulate_kernel(value: str, threads: int = BLOCKING_THREADS) -> str:
    """The second one."""
    return _instance("accumulate", _CPP[value], threads)


def pull_level_kernel(offset_bytes: int, threads: int = THREADS) -> str:
    """The kernel of ``pull_level.cuh``."""
    return _instance("pull_level", _offset(offset_bytes), threads)


def walk_kernel() -> str:
    """The kernel of ``walk.cuh``."""
    return "warpath::walk_back"


def fill_arcs_kernel(offset_bytes: int, distance: str, threads: int = THREADS) -> str:
    """The kernel of ``dense.cuh``; ``distance`` may be "int16" too."""
    return _instance("fill_arcs", _offset(offset_bytes), _CPP[distance], threads)


def graph_sweep_kernel(name: str, *arguments: object, threads: int = THREADS) -> str:
    """One of the kernels of ``graph_sweeps.cuh``.

    Parameters
    ----------
    name : {"sweep_matrix", "sweep_lists", "sweep_edges"}
    *arguments : str or bool
        For lists "warpath::TwoArrays" or "warpath::Interleaved"; for edges whether each stands once.
    """
    return _instance(name, *arguments, threads)
