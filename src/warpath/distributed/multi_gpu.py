"""Graphs on several GPUs of one process: each GPU is a rank, with a thread of this process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpath import devices as gpus
from warpath.display import ReprMixin, Row, counted
from warpath.distributed.construct import edges_in_order, part_of_graph
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.graph.check import choose
from warpath.graph.graph import Graph, check_graph
from warpath.graph.on_gpus import GraphOnGpus
from warpath.graph.sort import Edges
from warpath.planning.partition import cut as cut_into
from warpath.planning.parts import (
    VERTICES_TOGETHER,
    blocks,
    blocks_between,
    rounded_bounds,
    share_out,
)
from warpath.typing import PARTITIONS, PartitionName

if TYPE_CHECKING:
    from warpath.distributed.gpu.group import GpuGroup
    from warpath.distributed.gpu.one_launch import OneLaunch

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of a graph, one on each of several GPUs.

    Attributes
    ----------
    group : GpuGroup
    graphs : list of DistributedGraph
        The graph as each GPU has it.
    """

    group: "GpuGroup"
    graphs: list[DistributedGraph]

    @property
    def partition(self) -> PartitionName:
        """Which vertices the GPUs own: see `distribute`."""
        return "blocks" if self.graphs[0].order is None else "metis"

    def gathered(self, owned: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """An array of all vertices, of what each GPU has of its own; the last axis is that of vertices."""
        whole, place = np.concatenate(owned, axis=-1), self.graphs[0].place
        return whole if place is None else whole[..., place]

    def at_once(self) -> "OneLaunch | None":
        """Searches of the graph by one launch on each GPU, if the GPUs reach each other's memory.

        That is memory of CuPy's default pool: of others, such as CUDA's own pools, it is not known.
        """
        from warpath.cuda.device_graph import has_default_pool
        from warpath.distributed.gpu.one_launch import OneLaunch

        if not self.group.shares_memory or not has_default_pool():
            return None
        return OneLaunch(self.graphs, self.group)

    def run(self, function: Callable[..., T], *columns: Sequence[Any]) -> list[T]:
        """What a function returns of each part, in a thread whose current GPU is the part's.

        Parameters
        ----------
        function : callable
            Takes a `DistributedGraph`, and an element of each column.
        *columns : sequences
            With an element for each part.
        """
        rows = list(zip(self.graphs, *columns, strict=True))
        return self.group.run(lambda rank: function(*rows[rank]))


class MultiGpuGraph(ReprMixin):
    """A graph with its parts, one on each of several GPUs of this process.

    `warpath.distribute` makes one, and `warpath.generate.rmat` with ``devices``. `warpath.bfs`, `warpath.sssp` and
    `warpath.connected_components` take it in place of ``graph`` and ``devices``.

    Attributes
    ----------
    graph : Graph
        The whole.
    devices : tuple of int
        CUDA's number of each part's GPU.
    not_one_graph : str
        What functions say that take no parts.

    See Also
    --------
    warpath.distribute : Makes one.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distribute(wp.generate.grid(8), 2)  # doctest: +SKIP
    <MultiGpuGraph: 64 vertices, 112 edges, undirected, 2 parts on GPUs 0, 1>
    """

    not_one_graph = "give its attribute graph, the whole"

    def __init__(self, graph: Graph, devices: tuple[int, ...]) -> None:
        self.graph, self.devices = graph, devices

    @property
    def parts(self) -> list[DistributedGraph]:
        """The graph as each GPU has it."""
        return parts_on(self.graph.without_labels(), self.devices).graphs

    def arguments(self, devices: int | Sequence[int] | None) -> dict[str, Any]:
        """The arguments of a call that it takes the place of.

        Parameters
        ----------
        devices
            As the call has them.

        Raises
        ------
        ValueError
            Other GPUs than those where the parts lie.
        """
        if devices is not None and gpus.named(devices) != self.devices:
            raise ValueError(f"devices={devices!r}: the parts of the graph lie on {self.devices}")
        return {"graph": self.graph, "devices": self.devices}

    def _line(self) -> str:
        whole = self.graph
        kind = "directed" if whole.directed else "undirected"
        return (
            f"{whole.num_vertices:,} vertices, {whole.num_edges:,} edges, {kind}, "
            f"{counted(len(self.devices), 'part')} on GPUs {', '.join(map(str, self.devices))}"
        )

    def _rows(self) -> list[Row]:
        return [
            ("vertices", f"{self.graph.num_vertices:,}"),
            ("edges", f"{self.graph.num_edges:,}"),
            ("directed", "yes" if self.graph.directed else "no"),
            ("GPUs", ", ".join(map(str, self.devices))),
            ("arcs on each", ", ".join(f"{one.part.graph.num_arcs:,}" for one in self.parts)),
        ]


def distribute(
    graph: Graph,
    devices: int | Sequence[int] | None = None,
    partition: PartitionName = "blocks",
) -> MultiGpuGraph:
    """Cut a graph into parts, one for each of several GPUs of this process.

    Parameters
    ----------
    graph : Graph
    devices : int or sequence of int, optional
        How many GPUs, the current one first, or CUDA's numbers of them; by default all. A GPU that is named
        twice has two parts.
    partition : {"blocks", "metis"}
        Which vertices a GPU owns. "blocks": consecutive ones, with about as many arcs as the others'. "metis": a part
        of few arcs to other parts, which suits roads and meshes (``pip install 'warpath[partition]'``).

    Returns
    -------
    MultiGpuGraph
        It keeps the graph, and the graph its parts, until `Graph.release`.

    Raises
    ------
    TypeError
        If it is no graph, or ``devices`` no number and no sequence of them.
    ValueError
        GPUs that are not there; an unknown partition.
    ModuleNotFoundError
        If METIS is asked for and not installed.
    DeviceUnavailableError
        Where CUDA cannot be used: it says what is missing.
    MemoryError
        If a part does not fit on its GPU.

    See Also
    --------
    warpath.distributed.distribute : For ranks that are processes.

    Notes
    -----
    Each GPU copies its rows from where the graph lies, the host or a GPU. GPUs that do not reach each other's memory, or
    that are named twice, get parts that are cut on the CPU. So does a graph that METIS cuts. What the graph keeps for these
    GPUs from an earlier call is replaced if the partition is another.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.distribute(wp.generate.rmat(20), 4)  # doctest: +SKIP
    >>> wp.bfs(g, 0).verify()  # doctest: +SKIP
    """
    check_graph(graph)
    choose("partition", partition, PARTITIONS)
    numbers = tuple(gpus.in_order()) if devices is None else gpus.named(devices)
    whole = graph.without_labels()
    if is_cut(whole, numbers) and partition != parts_on(whole, numbers).partition:
        del whole.derived[_key(numbers)]
        share_out(whole, numbers, None)
    if partition == "metis" and not is_cut(whole, numbers):
        whole.derived[_key(numbers)] = _cut_by_metis(whole, numbers)
    parts_on(whole, numbers)
    return MultiGpuGraph(graph, numbers)


def drawn_on(
    edges: Edges,
    n: int,
    devices: int | Sequence[int],
    *,
    directed: bool,
    drop_self_loops: bool = False,
    merge: str = "keep",
) -> MultiGpuGraph:
    """The graph of edges that can be drawn again, made where its parts lie; parameters as of `made_on_gpus`.

    Raises
    ------
    ValueError, TypeError
        GPUs that are not there.
    DeviceUnavailableError, MemoryError, OverflowError
        See `warpath.distributed.gpu.made.made_on_gpus`.
    """
    numbers = gpus.named(devices)
    gpus.require()
    from warpath.distributed.gpu.made import made_on_gpus

    graph = made_on_gpus(
        edges, n, numbers, directed=directed, drop_self_loops=drop_self_loops, merge=merge
    )
    return distribute(graph, numbers)


def parts_on(graph: Graph, devices: tuple[int, ...]) -> Parts:
    """A graph's parts on some GPUs; cut at the first call, and kept with the graph.

    Raises
    ------
    DeviceUnavailableError
        If CUDA cannot be used.
    MemoryError
        If a part does not fit on its GPU.
    """
    if not is_cut(graph, devices):
        graph.derived[_key(devices)] = _cut(graph, devices)
    parts: Parts = graph.derived[_key(devices)]
    return parts


def is_cut(graph: Graph, devices: tuple[int, ...]) -> bool:
    """Whether parts of a graph for these GPUs are kept with it."""
    return _key(devices) in graph.derived


def _key(devices: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    return "on several GPUs", devices


def _cut_by_metis(graph: Graph, devices: tuple[int, ...]) -> Parts:
    """The parts of a graph whose vertices stand in the order of METIS's parts."""
    gpus.require()
    cut = cut_into(graph, len(devices))
    bounds, edges = rounded_bounds(cut.starts), edges_in_order(graph, cut.order)
    in_order = Graph.from_edges(*edges, n=graph.num_vertices, directed=graph.directed)
    parts = _cut(in_order, devices, bounds, cut.order)
    share_out(graph, devices, blocks_between(in_order, bounds))
    return parts


def _cut(
    graph: Graph,
    devices: tuple[int, ...],
    given: NDArray[np.int64] | None = None,
    order: NDArray[np.int32] | None = None,
) -> Parts:
    """The parts of a graph.

    Parameters
    ----------
    given, order : arrays, optional
        Which vertices each GPU owns, and how callers know the graph's vertices: as of `DistributedGraph`.
    """
    from warpath.cuda.device_graph import drop_copy, most_queued
    from warpath.distributed.gpu.group import GpuGroup
    from warpath.distributed.gpu.part import on_gpu, own_rows, row_starts, rows_on_gpu

    group = GpuGroup(devices)
    together = VERTICES_TOGETHER if group.shares_memory else 1
    bounds = np.array(blocks(graph, len(devices), together).bounds) if given is None else given
    there = graph.rows if isinstance(graph, GraphOnGpus) and graph.devices == devices else None
    starts = row_starts(graph, bounds) if group.shares_memory and there is None else []
    queued = most_queued(graph)
    with np.errstate(over="ignore"):  # then all paths are in one bucket
        _ = (
            graph.num_self_loops,
            graph.weight_range,
            graph.mean_weight,
            graph.mean_arc_degree,
        )  # the ranks' GPUs are others

    def part(rank: int) -> DistributedGraph:
        transport = current()
        drop_copy(graph)
        what = f"part {rank} of {len(devices)} on GPU {devices[rank]}"
        with transport.together("distribute"), gpus.memory_for(what):
            if group.shares_memory:
                own = own_rows(graph, bounds, starts, rank) if there is None else there[rank]
                rows = rows_on_gpu(own, bounds, rank, queued=queued)
                return DistributedGraph(transport, rows, graph.directed, order, whole=graph)
            part = part_of_graph(transport, graph, bounds)
            return on_gpu(DistributedGraph(transport, part, graph.directed, order, whole=graph))

    return Parts(group, group.run(part))
