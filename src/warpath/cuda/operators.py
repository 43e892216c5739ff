"""Operators that are written in Python, on a CUDA device: their headers, arguments and launches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from warpath.balance import Technique
from warpath.balance.technique import WARP_LANES
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    BALANCE_MEMORY,
    BOOL,
    CSR,
    F32,
    I32,
    POINTER,
    U32,
    U64,
    Struct,
    segments_struct,
)
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import SMALL_FRONTIER_MAX_EDGES
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import CLUSTER, blocks_for_vertices, kernel, suggested_grid_size
from warpath.cuda.generated_header import write_header
from warpath.cuda.instances import (
    ASYNC_THREADS,
    THREADS,
    aggregate_kernel,
    edge_operator_kernel,
    filter_kernel,
    reduce_kernel,
    vertex_operator_kernel,
)
from warpath.cuda.list_rows import rows_with_edges
from warpath.cuda.memory import words_of_bits
from warpath.cuda.program import Search
from warpath.cuda.runtime import Kernel
from warpath.errors import OperatorError
from warpath.language import operator
from warpath.language.cpp import header
from warpath.language.tree import Function
from warpath.language.types import INT, ArrayOf
from warpath.typing import LoopName, SmallFrontiersName

_VECTOR = Struct(data=POINTER, length=U64)  # `Vector` of operators/arithmetic.cuh
_FIELDS = {"bool": BOOL, "int32": I32, "int64": "i8", "float32": F32, "float64": "f8"}
_TRAVERSE, _AGGREGATE, _VERTICES = "algorithms/edge_operator.cuh", "aggregate.cuh", "vertices.cuh"
# A value that is added atomically takes as long as some look-ups of a bit: 16 G/s next to 150 (random places of 1 GB and 16 MB, H200, 2026-11).
_SCATTERED = 8
# Bytes that are in the cache, where a look at what changes nothing takes no longer than one at its bit: a guess.
_CACHED = 2**25
# Edges of those that count, to the edges that are looked at: with more, bits cost more than they save. On GAP's graphs of scale
# 27 with 4 layers (H200, 2026-12): with 0.60 they save 13 %, with 0.97 they cost a third.
_MOST = 0.75


@lru_cache(maxsize=256)
def body_struct(arrays: tuple[str, ...], scalars: tuple[tuple[str, str], ...]) -> Struct:
    """``UserOperator``, as `warpath.language.cpp.header` declares it."""
    fields: dict[str, Any] = {f"{name}_": _VECTOR for name in arrays}
    fields |= {f"{name}_": _FIELDS[kind] for name, kind in scalars}
    return Struct(**fields, faults=POINTER)


def _struct_of(function: Function) -> Struct:
    return body_struct(tuple(function.arrays), tuple(function.scalars.items()))


def _pack(function: Function, given: Mapping[str, Any], faults: Any) -> bytes:
    """``UserOperator`` with its arguments."""
    here = runtime.current()
    arrays = {
        f"{name}_": _VECTOR(data=here.address(given[name]), length=len(given[name]))
        for name in function.arrays
    }
    scalars = {f"{name}_": given[name] for name in function.scalars}
    return _struct_of(function)(**arrays, **scalars, faults=here.address(faults))


def _kernel(
    function: Function, header: str, instance: Callable[..., str], *arguments: Any, **how: int
) -> Kernel:
    """The kernel of an operator.

    Raises
    ------
    OperatorError
        If a body in CUDA C++ does not compile; it says which lines.
    """
    try:
        return kernel(header, instance, *arguments, **how)  # type: ignore[arg-type]
    except Exception as error:
        own = f"{function.name}("
        parts = [one.partition("detected during")[0].rstrip() for one in str(error).split("\n\n")]
        found = [one for one in parts if one.lstrip().startswith(own)]
        if not found:
            raise
        raise OperatorError("the operator does not compile:\n" + "\n\n".join(found)) from None


def expand(
    graph: DeviceGraph,
    vertices: Any,
    function: Function,
    given: Mapping[str, Any],
    balance: Technique,
    max_iterations: int,
    pull: bool = False,
    small_frontiers: SmallFrontiersName = "off",
    loop: LoopName = "device",
    faults: Any = None,
) -> Search:
    """Expand a frontier until it is empty, or for ``max_iterations``; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    vertices : cupy array of int32, shape (k,)
        The first frontier, k ≥ 1.
    function : Function
        An operator on edges.
    given : mapping of str to array or number
        Its arguments; arrays on the device.
    balance : Technique
    max_iterations : int
        An asynchronous iteration counts as one.
    pull : bool
        Whether vertices look at the edges that come in.
    small_frontiers : str
        As of `warpath.Schedule`; "off" with ``pull``, "async" only if the operator has steps
        (`warpath.language.staging`), indices are not checked, and ``balance`` launches no child grids.
    loop : {"device", "host"}
        One launch for all iterations, or one for each. Where ``balance`` launches child grids, one that ends with an
        iteration of the grid.
    faults : cupy array of int64, shape (4,), optional
        Zeros; given, indices are checked: see ``operators/arithmetic.cuh``.

    Returns
    -------
    Search
        As it was launched.

    Notes
    -----
    Takes two queues and their prefix sums and a stamp per vertex, 20 bytes per vertex (28 with 64-bit offsets); with
    ``pull`` one queue and two stamps.
    """
    here = runtime.current()
    if pull:
        graph = graph.reverse
    weighted = function.takes_weight and graph.weights is not None
    text = header(_TRAVERSE, function, weighted=weighted, checks=faults is not None)
    algorithm = "SweptEdgeOperator" if pull else "EdgeOperator"
    if small_frontiers in ("block", "cluster"):
        algorithm = f"SmallFrontiers {algorithm}"
    asynchronous = small_frontiers == "async"
    program = _kernel(
        function, write_header(text), edge_operator_kernel, graph.offset_bytes, algorithm, balance, asynchronous,
        blocks=suggested_grid_size(graph), threads=ASYNC_THREADS if asynchronous else THREADS,
        cluster=CLUSTER if small_frontiers == "cluster" else 1, children=balance.launches_children,
    )  # fmt: skip
    search = Search(
        program, algorithm, graph, balance, vertices, here.xp.empty(0, np.int32), None,
        graph.num_vertices, False, more={"body": _struct_of(function)},
        body=_pack(function, given, faults), max_level=max_iterations,
        weights=here.address(graph.weights) if weighted else 0,
        small_frontier_max_edges=SMALL_FRONTIER_MAX_EDGES,
    )  # fmt: skip
    search.run(loop, balance.launches_children)
    return search


@operator
def _has_stamp(v, stamps, number):  # type: ignore[no-untyped-def]
    return stamps[v] == number


@cache
def _stamped() -> Function:
    return _has_stamp.typed({"stamps": ArrayOf("int32"), "number": INT})


def traverse(
    graph: DeviceGraph,
    vertices: Any,
    function: Function,
    given: Mapping[str, Any],
    balance: Technique,
    max_iterations: int,
    pull: bool = False,
    *how: Any,
    **options: Any,
) -> tuple[int, Any]:
    """As `expand`, with its parameters; waits for the end.

    Returns
    -------
    iterations : int
    vertices : cupy array of int32
        The frontier that is left.
    """
    search = expand(
        graph, vertices, function, given, balance, max_iterations, pull, *how, **options
    )
    iterations = search.report.iterations
    if not pull and not graph.directed:
        return iterations, search.frontier().copy()
    # A queue has no vertices without edges, which a frontier may have; stamps have them. The first frontier's is 1.
    n, sets = graph.num_vertices, 1 + pull
    begin = search.layout.begin["stamp"] + 4 * n * ((iterations + 1) % sets)
    stamps = search.space[begin : begin + 4 * n].view(np.int32)
    left = kept_vertices(None, n, _stamped(), {"stamps": stamps, "number": iterations + 1}, None)
    if not pull and iterations < max_iterations and (len(left) or iterations == 0):
        return iterations + 1, left[:0]  # one more, that follows no edge
    return iterations, left


@dataclass(frozen=True, eq=False)
class Launch:
    """A launch of a kernel that is prepared once and queued any number of times.

    Attributes
    ----------
    kernel : Kernel or None
        None: nothing is to be done.
    arguments : bytes
    keeps : tuple
        What they point to.
    resets : tuple of callable
        Called before each launch: they queue what the kernel expects in memory that it changes.
    """

    kernel: Kernel | None = None
    arguments: bytes = b""
    keeps: tuple[Any, ...] = ()
    resets: tuple[Callable[[], object], ...] = ()

    def run(self) -> None:
        """Queue it; nothing is waited for."""
        if self.kernel is None:
            return
        for reset in self.resets:
            reset()
        self.kernel.launch(self.arguments)


def prepare_compute(
    vertices: Any,
    count: int,
    function: Function,
    given: Mapping[str, Any],
    out: Any,
    faults: Any = None,
    layers: int = 1,
) -> Launch:
    """Prepare to call an operator on vertices, each once.

    Parameters
    ----------
    vertices : cupy array of int32, shape (count,), or None
        None: 0 … count − 1.
    out : cupy array, shape (count · layers,), or None
        Takes what it returns, of dtype ``function.result``.
    layers : int
        Elements of a vertex; with more than one the operator is called for each, with its place: below 2³¹.
    function, given, faults
        As of `traverse`.
    """
    return _on_vertices(
        vertex_operator_kernel, (), vertices, count, function, given, faults, layers, out=out
    )


# The template of operators/reductions.cuh, and whether it takes only the truth of each value.
_REDUCTIONS = {
    "sum": ("Sum", False), "min": ("Min", False), "max": ("Max", False), "any": ("Max", True), "all": ("Min", True),
}  # fmt: skip


def prepare_reduce(
    vertices: Any,
    count: int,
    function: Function,
    given: Mapping[str, Any],
    by: str,
    total: Any,
    faults: Any = None,
    layers: int = 1,
) -> Launch:
    """Prepare to reduce what an operator returns for vertices.

    Parameters
    ----------
    by : {"sum", "min", "max", "any", "all"}
        Only "any" and "all" for floats.
    total : cupy array of int64, shape (1,)
        Holds what there is without vertices, and takes the result.
    vertices, count, function, given, faults, layers
        As of `prepare_compute`.
    """
    return _on_vertices(
        reduce_kernel,
        _REDUCTIONS[by],
        vertices,
        count,
        function,
        given,
        faults,
        layers,
        total=total,
    )


def kept_vertices(
    vertices: Any, count: int, function: Function, given: Mapping[str, Any], faults: Any = None
) -> Any:
    """The vertices for which an operator returns something true, in any order.

    Parameters
    ----------
    vertices, count, function, given, faults
        As of `prepare_compute`; at least one vertex.

    Returns
    -------
    cupy array of int32
    """
    xp = runtime.current().xp
    kept, size = xp.empty(count, np.int32), xp.zeros(1, np.uint32)
    _on_vertices(
        filter_kernel, (), vertices, count, function, given, faults, kept=kept, size=size
    ).run()
    return kept[: int(size[0])]


def _on_vertices(
    instance: Callable[..., str], options: tuple[Any, ...], vertices: Any, count: int, function: Function,
    given: Mapping[str, Any], faults: Any, layers: int = 1,
    *, out: Any = None, kept: Any = None, size: Any = None, total: Any = None,
) -> Launch:  # fmt: skip
    count *= layers
    if count == 0:
        return Launch()
    path = write_header(header(_VERTICES, function, checks=faults is not None))
    address = runtime.current().address
    arguments = vertex_arguments(_struct_of(function))(
        body=_pack(function, given, faults), vertices=address(vertices), count=count, layers=layers,
        out=address(out), kept=address(kept), size=address(size), total=address(total),
    )  # fmt: skip
    blocks = blocks_for_vertices(count)
    chosen = _kernel(function, path, instance, *options, blocks=blocks)
    return Launch(chosen, arguments, (given, faults, vertices, out, kept, size, total))


@cache
def vertex_arguments(body: Struct) -> Struct:
    """``VertexArguments`` of vertices.cuh."""
    return Struct(
        body=body, vertices=POINTER, count=U64, layers=U32, out=POINTER, kept=POINTER, size=POINTER, total=POINTER
    )  # fmt: skip


def prepare_aggregate(
    reverse: DeviceGraph,
    function: Function,
    given: Mapping[str, Any],
    by: str,
    out: Any,
    balance: Technique,
    faults: Any = None,
    *,
    layers: int = 1,
    forward: DeviceGraph | None = None,
    vertices: Any = None,
    among: Any = None,
    others_are_neutral: bool = False,
) -> Launch:
    """Prepare to reduce what an operator returns for the edges that come in to each vertex.

    Parameters
    ----------
    reverse : DeviceGraph
        The graph with every arc reversed.
    function : Function
        An operator on edges that returns a value.
    by : {"sum", "min", "max"}
    out : cupy array of ``function.result``, shape (n · layers,)
        Holds what there is without edges, and takes the values.
    given, balance, faults
        As of `traverse`.
    layers : int
        Elements of a vertex; with more than one the operator is called for each, with their places.
    forward : DeviceGraph, optional
        The graph itself, so that those ``among`` may bring what they have.
    vertices : cupy array of int32, shape (k,), optional
        Those whose edges are looked at; by default all.
    among : cupy array of int32, shape (j,), optional
        Those whose edges count; by default all.
    others_are_neutral : bool
        Whether the operator returns for others what changes nothing, so that they may be looked at.

    Notes
    -----
    With ``among`` it takes nine bits per vertex.
    """
    here, graph, ends = runtime.current(), reverse, among
    rows, prefix, arcs = rows_with_edges(reverse, vertices)
    scatters = False
    if others_are_neutral and out.nbytes < _CACHED:
        ends = None
    elif forward is not None and among is not None:
        theirs = rows_with_edges(forward, among)
        scatters = _SCATTERED * theirs[2] < arcs
        if scatters:
            graph, ends, (rows, prefix, arcs) = forward, vertices, theirs
        elif others_are_neutral and theirs[2] > _MOST * arcs:
            ends = None
    if arcs == 0:
        return Launch()
    weighted = function.takes_weight and graph.weights is not None
    path = write_header(header(_AGGREGATE, function, weighted=weighted, checks=faults is not None))
    width = min(WARP_LANES, 1 << (layers - 1).bit_length())
    instance = graph.offset_bytes, _REDUCTIONS[by][0], width, scatters, balance
    memory = memory_for(balance, graph)
    resets: tuple[Callable[[], object], ...] = (memory.clear_counters,) if memory.workspace else ()
    arrived = None
    if balance.needs_grid:  # others have no barrier
        arrived = here.xp.empty(1, np.uint32)
        resets += (partial(arrived.fill, 0),)
    segments = segments_struct(graph.offset_bytes)(
        vertices=here.address(rows), prefix=here.address(prefix), size=len(rows), items=arcs
    )
    bits = None if ends is None else bits_of(ends, graph.num_vertices)
    arguments = aggregate_arguments(_struct_of(function), graph.offset_bytes)(
        body=_pack(function, given, faults), frontier=segments, graph=graph.csr,
        weights=here.address(graph.weights) if weighted else 0, ends=here.address(bits), out=here.address(out),
        layers=layers, arrived=here.address(arrived), balance=memory.of(),
    )  # fmt: skip
    chosen = _kernel(function, path, aggregate_kernel, *instance, blocks=suggested_grid_size(graph))
    keeps = graph, given, faults, rows, prefix, bits, out, arrived, memory
    return Launch(chosen, arguments, keeps, resets)


@cache
def aggregate_arguments(body: Struct, offset_bytes: int) -> Struct:
    """``AggregateArguments`` of aggregate.cuh."""
    return Struct(
        body=body, frontier=segments_struct(offset_bytes), graph=CSR, weights=POINTER, ends=POINTER, out=POINTER,
        layers=I32, arrived=POINTER, balance=BALANCE_MEMORY,
    )  # fmt: skip


def bits_of(vertices: Any, n: int) -> Any:
    """A bitmap of n vertices in which some are set: uint32 array."""
    xp = runtime.current().xp
    flags = xp.zeros(32 * words_of_bits(n), bool)
    flags[vertices] = True
    return xp.packbits(flags, bitorder="little").view(np.uint32)
