"""Graphs and searches on several GPUs of one process: each GPU is a rank, with a thread of this process."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from warpath import devices as gpus
from warpath.display import ReprMixin, Row, counted
from warpath.distributed.construct import part_of_graph
from warpath.distributed.context import current
from warpath.distributed.distribute import check_one_piece
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu_paths import MultiGpuPaths
from warpath.distributed.paths import DistributedPaths
from warpath.graph.arrays import to_host
from warpath.graph.graph import Graph

if TYPE_CHECKING:
    from warpath.distributed.gpu.group import GpuGroup

T = TypeVar("T")


class MultiGpuGraph(ReprMixin):
    """A graph in parts, one on each of several GPUs of this process.

    `warpath.distribute` makes one. `warpath.bfs`, `warpath.sssp` and `warpath.connected_components` take it.

    Attributes
    ----------
    devices : tuple of int
        CUDA's number of each part's GPU.
    parts : list of DistributedGraph
        The graph as each GPU has it.
    directed : bool
    num_vertices, num_arcs, num_edges : int
        Those of the whole graph.

    See Also
    --------
    warpath.distribute : Makes one.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.distribute(wp.generate.grid(8), 2)  # doctest: +SKIP
    <MultiGpuGraph: 64 vertices, 112 edges, undirected, 2 parts on GPUs 0, 1>
    """

    def __init__(self, group: "GpuGroup", parts: list[DistributedGraph]) -> None:
        self._group = group
        self.devices, self.parts = group.devices, parts
        whole = parts[0]
        self.directed = whole.directed
        self.num_vertices, self.num_arcs = whole.num_vertices, whole.num_arcs
        self.num_edges = whole.num_edges

    def run(self, function: Callable[[int], T]) -> list[T]:
        """What ``function(rank)`` returns for each part, in a thread whose current GPU is the part's."""
        return self._group.run(function)

    def search(self, of_part: Callable[..., Any], **arguments: Any) -> Any:
        """A search of all parts.

        Parameters
        ----------
        of_part : function
            One of `warpath.distributed.searches`.
        **arguments
            Its arguments but for the graph.

        Returns
        -------
        MultiGpuPaths, or (int32 array of shape (n,), int)
            Paths, or labels and their number.
        """
        answers = self.run(lambda rank: of_part(self.parts[rank], **arguments))
        if isinstance(answers[0], DistributedPaths):
            return MultiGpuPaths(self.run, answers)
        return np.concatenate([to_host(label) for label, _ in answers]), answers[0][1]

    def _line(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return (
            f"{self.num_vertices:,} vertices, {self.num_edges:,} edges, {kind}, "
            f"{counted(len(self.devices), 'part')} on GPUs {', '.join(map(str, self.devices))}"
        )

    def _rows(self) -> list[Row]:
        return [
            ("vertices", f"{self.num_vertices:,}"),
            ("edges", f"{self.num_edges:,}"),
            ("directed", "yes" if self.directed else "no"),
            ("GPUs", ", ".join(map(str, self.devices))),
            ("arcs on each", ", ".join(f"{one.part.graph.num_arcs:,}" for one in self.parts)),
        ]


def distribute(graph: Graph, devices: int | Sequence[int] | None = None) -> MultiGpuGraph:
    """Cut a graph into parts, one for each of several GPUs of this process.

    Parameters
    ----------
    graph : Graph
        Without labels.
    devices : int or sequence of int, optional
        How many GPUs, the current one first, or CUDA's numbers of them; by default all. A GPU that is named
        twice has two parts.

    Returns
    -------
    MultiGpuGraph
        With the same vertices and arcs.

    Raises
    ------
    TypeError
        If it is no graph, or ``devices`` no number and no sequence of them.
    ValueError
        If it has labels; GPUs that are not there.
    DeviceUnavailableError
        Where CUDA cannot be used: it says what is missing.
    MemoryError
        If a part does not fit on its GPU.

    See Also
    --------
    warpath.distributed.distribute : For ranks that are processes.

    Notes
    -----
    The parts are cut on the CPU, and copied to the GPUs. Vertices are shared out as for ranks that are
    processes: consecutive ones, so that each GPU has about the same number of arcs and vertices.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.distribute(wp.generate.rmat(20), 4)  # doctest: +SKIP
    >>> wp.bfs(g, 0).verify()  # doctest: +SKIP
    """
    check_one_piece(graph)
    return _in_parts(graph, tuple(gpus.in_order()) if devices is None else gpus.named(devices))


def distributed_to(graph: Any, devices: int | Sequence[int] | None, device: str) -> MultiGpuGraph:
    """The graph in parts on the GPUs that a call names; cut at the first call, and kept with the graph.

    Parameters
    ----------
    graph : Graph or MultiGpuGraph
    devices, device
        As the call has them.

    Raises
    ------
    ValueError
        Other GPUs than those where the parts lie; ``device="cpu"``.
    """
    if device == "cpu":
        raise ValueError("device='cpu': several GPUs are asked for")
    if isinstance(graph, MultiGpuGraph):
        if devices is not None and gpus.named(devices) != graph.devices:
            raise ValueError(f"devices={devices!r}: the parts of the graph lie on {graph.devices}")
        return graph
    assert devices is not None
    check_one_piece(graph)
    numbers = gpus.named(devices)
    key = "on several GPUs", numbers
    if key not in graph.derived:
        graph.derived[key] = _in_parts(graph, numbers)
    parts: MultiGpuGraph = graph.derived[key]
    return parts


def _in_parts(graph: Graph, devices: tuple[int, ...]) -> MultiGpuGraph:
    from warpath.distributed.gpu.group import GpuGroup
    from warpath.distributed.gpu.part import on_gpu

    group = GpuGroup(devices)

    def part(rank: int) -> DistributedGraph:
        transport = current()
        with transport.together("distribute"):
            return on_gpu(
                DistributedGraph(transport, part_of_graph(transport, graph), graph.directed)
            )

    return MultiGpuGraph(group, group.run(part))
