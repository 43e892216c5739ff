"""How all pairs are found: the methods, which one "auto" takes, the dtypes, and the memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from warpath import devices
from warpath.graph.distance import fits, longest_path
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.parallel import thread_count
from warpath.planning import memory
from warpath.planning.all_pairs_cost import parts_for, seconds
from warpath.planning.cache import kept
from warpath.planning.partition import Cut, can_cut, cut, parts_nbytes, rows_nbytes
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, plan_for
from warpath.planning.shortest_paths import relaxation
from warpath.planning.threads import threads_for_matrix
from warpath.typing import BuildDeviceName

_PLAIN = 128  # vertices up to which blocks gain nothing: 0.7 of the time at 64, 0.9 at 100 (Zen 5, 2026-11)
# Of a GPU's kernels: vertices of a tile, at most, and bytes for the smallest matrices.
_TILE, _FEW = 256, 2**20


@dataclass(frozen=True)
class Method:
    """What a method is.

    Attributes
    ----------
    about : str
    dense : bool
        Whether it works on the whole matrix, at a cost of n³; else row by row.
    matrices : int
        How many matrices it holds.
    """

    about: str
    dense: bool = False
    matrices: int = 1


SPREAD = "blocked-floyd-warshall"
"""The method whose rows several GPUs may share, and of which a CPU and a GPU may share the work."""

METHODS = {
    "auto": Method("the fastest for the graph"),
    "floyd-warshall": Method("the plain triple loop", dense=True),
    "blocked-floyd-warshall": Method(
        "for caches and vectors (Venkataraman et al.; Katz & Kider)", dense=True
    ),
    "r-kleene": Method("by recursion over halves (D'Alberto & Nicolau; Buluç et al.)", dense=True),
    "repeated-squaring": Method("log n min-plus products", dense=True, matrices=2),
    "partitioned": Method(
        "parts that few vertices separate, by METIS (Djidjev et al.)", dense=True
    ),
    "johnson": Method("weights made non-negative, then as sssp (Johnson)"),
    "sssp": Method("shortest paths from every vertex"),
    "bfs": Method("breadth-first searches, 512 at once, where each arc counts 1"),
}


@dataclass(eq=False)
class ApspRun:
    """How all pairs of a graph are found on a device.

    Attributes
    ----------
    graph : Graph
    algebra : PathAlgebra
    method, why : str
    device : {"cpu", "cuda"}
    dtype, work : dtype
        The answer's, and that of the matrix of a dense method.
    signed : bool
        Whether a weight is negative and may better a path.
    predecessors, exact : bool
    gpus : int, sequence of int, or None
        The ``devices=`` of `warpath.apsp`.
    cut : Cut or None
        The parts of "partitioned".
    lazy : bool
        Whether dense methods pass over what leads nowhere.
    hybrid : bool
        Whether the CPU does a part of what the device does.
    """

    graph: Graph
    algebra: PathAlgebra
    method: str
    why: str
    device: BuildDeviceName
    dtype: np.dtype[Any]
    work: np.dtype[Any]
    signed: bool
    predecessors: bool
    exact: bool
    gpus: int | Sequence[int] | None = None
    cut: Cut | None = None
    lazy: bool = False
    hybrid: bool = False

    @property
    def dense(self) -> bool:
        """Whether the method works on the whole matrix."""
        return METHODS[self.method].dense

    @property
    def is_exact(self) -> bool:
        """Whether values are made from left to right, to the bit."""
        return self.exact or not self.dense or self.work.kind != "f" or self.algebra.selects

    @property
    def keeps_predecessors(self) -> bool:
        """Whether the run needs predecessors, for the answer or for itself."""
        return self.predecessors or (self.dense and not self.is_exact_without_them)

    @property
    def is_exact_without_them(self) -> bool:
        """Whether nothing has to be summed again along the paths."""
        return not self.exact or self.work.kind != "f" or self.algebra.selects

    @property
    def answer_nbytes(self) -> int:
        """Bytes of the distances and predecessors."""
        size = self.dtype.itemsize + 4 * self.predecessors
        return self.graph.num_vertices**2 * size

    @property
    def dense_nbytes(self) -> int:
        """Bytes that a dense method takes on the CPU beyond them."""
        n, size = self.graph.num_vertices, self.graph.num_vertices**2
        keeps = self.keeps_predecessors
        parents = 4 * keeps
        # A GPU's are of its own memory, or go past it.
        copies = METHODS[self.method].matrices - 1 if self.device == "cpu" else 0
        whole = size * copies * (self.work.itemsize + parents)
        if self.work != self.dtype:
            whole += size * self.work.itemsize
        if keeps and not self.predecessors:
            whole += size * 4
        if self.cut is not None:
            whole += parts_nbytes(self.cut, self.work, keeps)
        return whole + 128 * n * (self.work.itemsize + parents)


def apsp_run(
    graph: Graph,
    algebra: PathAlgebra,
    method: str,
    device: BuildDeviceName,
    dtype: np.dtype[Any],
    *,
    predecessors: bool = False,
    exact: bool = False,
    lazy: bool = False,
    in_file: bool = False,
    gpus: int | Sequence[int] | None = None,
    hybrid: bool = False,
) -> ApspRun:
    """Decide the method and the dtypes; refuse what cannot be.

    Parameters
    ----------
    method : str
        As it was asked for.
    dtype : dtype
        That of the distances that were asked for.
    in_file : bool
        Whether the answer goes to a file.

    Raises
    ------
    ValueError, OverflowError, ModuleNotFoundError
        See `warpath.apsp`.
    """
    # A device takes a matrix that is in a file in as few passes as fit.
    matrix = graph.num_vertices**2 * dtype.itemsize
    fits = device == "cuda" or not in_file or matrix <= memory.free()
    way = _decided(
        graph, algebra, method, device, dtype, predecessors, fits, are_several(gpus),
        thread_count.num_threads(), can_cut(),
    )  # fmt: skip
    return ApspRun(
        graph=graph,
        algebra=algebra,
        method=way.method,
        why=way.why,
        device=device,
        dtype=dtype,
        work=way.work,
        signed=way.signed,
        predecessors=predecessors,
        exact=exact,
        gpus=gpus,
        cut=way.cut,
        lazy=lazy,
        hybrid=hybrid,
    )


class _Way(NamedTuple):
    """What of an `ApspRun` is decided; without the graph, which keeps it."""

    method: str
    why: str
    work: np.dtype[Any]
    signed: bool
    cut: Cut | None


@kept
def _decided(
    graph: Graph,
    algebra: PathAlgebra,
    method: str,
    device: str,
    dtype: np.dtype[Any],
    predecessors: bool,
    fits: bool,
    spread: bool,
    threads: int,
    can_cut: bool,
) -> _Way:
    """How `apsp_run` is done; kept with the graph.

    Parameters
    ----------
    fits : bool
        Whether the matrix fits in memory.
    spread : bool
        Whether several GPUs were asked for.
    """
    signed = algebra.adds and graph.weight_range[0] < 0
    _check(graph, algebra, method)
    run = relaxation(graph, algebra, "auto", signed, None, None, dtype, device)
    work = None if algebra.is_boolean else work_dtype(graph, algebra, run.dtype, device)
    why, parts = "as asked", None
    if method == "auto" and spread and work is not None:
        method, why = SPREAD, "several GPUs are asked for"
    elif method == "auto":
        method, why = choose(graph, algebra, work, signed, device, predecessors, fits, threads)
        if work is not None and fits and method != "bfs" and can_cut:
            parts = parts_for(graph, algebra, work, device, predecessors, threads)
        if parts is not None:
            method, why = "partitioned", "few vertices separate the graph"
    if METHODS[method].dense and work is None:
        raise OverflowError(
            f"method {method!r} needs (n − 1) · max |w| to be well below what {run.dtype} holds; "
            "method='sssp' looks at each distance"
        )
    if method == "partitioned":
        parts = parts or cut(graph)
        why = f"{why}; {parts}"
    return _Way(method, why, dtype if work is None else work, signed, parts)


def _check(graph: Graph, algebra: PathAlgebra, method: str) -> None:
    """Refuse a method that has no such algebra."""
    counts = algebra.is_boolean or (algebra.adds and graph.weight_dtype is None)
    if method == "bfs" and not counts:
        raise ValueError(
            "method 'bfs' counts arcs, but the graph has weights: give it graph.without_weights()"
        )
    if algebra.is_boolean and METHODS[method].dense:
        raise ValueError(f"algebra {algebra.name!r} is a breadth-first search, not {method!r}")
    if method == "johnson" and not algebra.adds:
        raise ValueError(f"method 'johnson' is for sums of weights, not for {algebra.name!r}")


def are_several(gpus: int | Sequence[int] | None) -> bool:
    """Whether ``devices=`` names more than one."""
    return gpus is not None and len(devices.named(gpus)) > 1


def work_dtype(
    graph: Graph, algebra: PathAlgebra, run: np.dtype[Any], device: str
) -> np.dtype[Any] | None:
    """The dtype of a dense method's matrix, None if there is none that is known to suffice.

    "No path" is half of an integer dtype's largest value on the CPU; a path that uses it must stay
    longer than any that does not, whatever negative weights it meets. A GPU's kernels see to that.
    """
    if not algebra.adds:
        return run
    if run.kind == "f" or device == "cuda":
        return run if fits(longest_path(graph), run) else None
    for dtype in (run, np.dtype(np.int64)):
        if 2 * longest_path(graph) < np.iinfo(dtype).max // 2:
            return dtype
    return None


def choose(
    graph: Graph,
    algebra: PathAlgebra,
    work: np.dtype[Any] | None,
    signed: bool,
    device: str,
    predecessors: bool,
    in_memory: bool,
    threads: int,
) -> tuple[str, str]:
    """The method that "auto" takes, and why.

    Parameters
    ----------
    work : dtype or None
        See `work_dtype`.
    in_memory : bool
        Whether a matrix fits in memory.
    """
    if algebra.is_boolean:
        return "bfs", "weights do not matter"
    if algebra.adds and graph.weight_dtype is None:
        return "bfs", "each arc counts 1"
    rows, why = ("johnson", "a weight is negative") if signed else ("sssp", "no weight is negative")
    if work is None:
        return rows, f"{why}, and paths may be too long for a matrix"
    n, m = graph.num_vertices, graph.num_arcs
    if not in_memory:
        return rows, f"{why}, and the matrix does not fit in memory"
    dense, sparse = seconds(graph, work, device, threads)
    if dense * (1 + predecessors) <= sparse:
        plain = n <= _PLAIN and device == "cpu"
        return (
            "floyd-warshall" if plain else "blocked-floyd-warshall",
            f"dense enough for Floyd–Warshall ({m:,} arcs, {n:,} vertices)",
        )
    return rows, f"{why}, and {m:,} arcs are few for {n:,} vertices"


def _workspace(how: ApspRun) -> int:
    """Bytes that a dense method takes beyond the answer, at most."""
    if how.device == "cpu":
        return how.dense_nbytes
    element = how.work.itemsize + 4 * how.keeps_predecessors
    if how.cut is not None:
        parts = parts_nbytes(how.cut, how.work, how.keeps_predecessors, _TILE)
        return parts + 3 * rows_nbytes(how.cut, how.work) + _FEW
    # The matrix padded to tiles, as often as the method holds one more, and a third for packed operands and
    # factors: of `warpath.cuda.apsp.workspace_nbytes`, 0.3 at the most (tests/cuda/test_apsp_gpu.py).
    padded = -(-how.graph.num_vertices // _TILE) * _TILE
    copies = 2 * METHODS[how.method].matrices - 1
    return (3 * copies + 1) * padded**2 * element // 3 + _FEW


def plan_all_pairs(how: ApspRun, place: Placement, rows: tuple[int, str] | None) -> Plan:
    """The plan of all pairs.

    Parameters
    ----------
    rows : (int, str) or None
        What making rows takes beyond the graph and the answer, at most, and how they are made; None of a
        dense method.
    """
    workspace, about = (_workspace(how), "") if rows is None else rows
    why = f"{how.why}; {about}" if about else how.why
    threads = (
        threads_for_matrix(how.graph.num_vertices) if how.dense else thread_count.num_threads()
    )
    return _plan(
        how.graph, place, how.method, why, how.dtype, threads, how.answer_nbytes, workspace
    )


@kept
def _plan(
    graph: Graph,
    place: Placement,
    method: str,
    why: str,
    dtype: np.dtype[Any],
    threads: int,
    answer: int,
    workspace: int,
) -> Plan:
    return plan_for(
        graph, "apsp", place, method, why, dtype,
        answer=answer, workspace=workspace, threads=threads, reads_weights=method != "bfs",
    )  # fmt: skip
