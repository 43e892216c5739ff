"""What a call will do: where, by which method, how, in how much memory, and why."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from warpath.display import ReprMixin, Row, counted
from warpath.graph.graph import Graph
from warpath.planning.placement import Placement
from warpath.schedule import Schedule
from warpath.typing import BuildDeviceName

# Bytes per vertex that one search takes beyond its graph and its answer, at most. On the CPU measured
# (tests/algorithms/test_plan.py); on a GPU with 64-bit offsets, of h-bf without the removal of duplicates
# 60 and a bit, of the other methods 24, and 8 with predecessors (`warpath.cuda.sssp`).
_WORKSPACE = {
    ("bfs", "cpu"): 8,
    ("sssp", "cpu"): 26,
    ("bfs", "cuda"): 13,
    ("sssp", "cuda"): 61,
}
_NOTHING_SAID = Schedule()
_FIXED = 2**20  # of the trace of the iterations, and of each thread's buffers: measured


@dataclass(frozen=True)
class PlannedPart:
    """What one of several GPUs has in a search of a graph in parts.

    Attributes
    ----------
    device : int
        CUDA's number of the GPU.
    first, end : int
        It owns the vertices ``first`` to ``end`` − 1.
    arcs : int
        Those out of them.
    memory : dict of str to int
        Bytes, at most: as `Plan.memory`.
    by_metis : bool
        Whether these are vertices in the order of METIS's parts.
    """

    device: int
    first: int
    end: int
    arcs: int
    memory: dict[str, int]
    by_metis: bool = False

    def __str__(self) -> str:
        vertices = counted(self.end - self.first, "vertex", "vertices")
        where = f" from {self.first:,}" if self.end > self.first else ""
        where = ", cut by METIS" if self.by_metis else where
        return f"GPU {self.device}: {vertices}{where}, {counted(self.arcs, 'arc')}, {_sizes(self.memory)}"


def _sizes(memory: dict[str, int]) -> str:
    return ", ".join(f"{what} {size:,} bytes" for what, size in memory.items())


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ReprMixin):
    """What runs for a call, and why: `warpath.plan` makes one, and `Stats.plan` holds the one that ran.

    Attributes
    ----------
    search : str
        Whose plan it is: one of ``warpath.typing.PLANNED``.
    device : {"cpu", "cuda"}
    where : str
        Why that device.
    method, why : str
        And why it was taken.
    schedule : Schedule
        How it runs: what the call left open is filled in.
    dtype : dtype
        That of the distances, or of the answer's numbers.
    threads : int
        The most that run on the CPU; 0 on a GPU.
    vertices, arcs : int
        How many the graph has.
    memory : dict of str to int
        Bytes: ``"graph"``, the arrays of it that are read; ``"answer"``; ``"workspace"``, at most.
        If it runs out of core, ``"graph"`` is what lies on the GPU, and ``"pinned"`` what stays on the host. On
        several GPUs it is the sum of all, at most.
    out_of_core : bool
        Whether a GPU reads column indices and weights from pinned memory of the host, as they do not
        fit its own; `where` says why.
    parts : tuple of PlannedPart
        What each of several GPUs has; () where the graph is in one piece.
    exchanged : str
        What travels between several GPUs.

    See Also
    --------
    warpath.plan : Makes one.

    Examples
    --------
    >>> import warpath as wp
    >>> p = wp.sssp(wp.generate.grid(30), 0).stats.plan
    >>> p.search, p.device, p.method
    ('sssp', 'cpu', 'bfs')
    """

    search: str
    device: BuildDeviceName
    where: str
    method: str
    why: str
    schedule: Schedule
    dtype: "np.dtype[Any]"
    threads: int
    vertices: int
    arcs: int
    memory: dict[str, int]
    out_of_core: bool = False
    parts: tuple[PlannedPart, ...] = ()
    exchanged: str = ""

    def needs(self) -> str:
        """What takes how much memory, as the message of a MemoryError begins.

        Returns
        -------
        str
            A sentence with sizes in bytes.
        """
        memory = self.memory
        host = f" and {memory['pinned']:,} of the host" if self.out_of_core else ""
        return (
            f"the graph of {self.vertices:,} vertices and {self.arcs:,} arcs takes "
            f"{memory['graph']:,} bytes{host}, the answer {memory['answer']:,}, and the search up to "
            f"{memory['workspace']:,} more"
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, for JSON.

        Returns
        -------
        dict
            The plan's fields, by name.
        """
        return {
            "search": self.search,
            "device": self.device,
            "where": self.where,
            "method": self.method,
            "why": self.why,
            "schedule": str(self.schedule),
            "dtype": str(self.dtype),
            "threads": self.threads,
            "memory": self.memory,
            "out_of_core": self.out_of_core,
            "parts": [asdict(one) for one in self.parts],
            "exchanged": self.exchanged,
        }

    def _line(self) -> str:
        where = counted(len(self.parts), "GPU") if self.parts else self.device
        return f"{self.search} by {self.method}, {self.schedule}, on {where}"

    def _rows(self) -> list[Row]:
        rows = [
            ("search", self.search),
            ("device", f"{self.device} ({self.where})"),
            ("method", f"{self.method} ({self.why})"),
            ("schedule", str(self.schedule)),
            ("distances", str(self.dtype)),
            ("memory", _sizes(self.memory)),
        ]
        rows += [(f"part {i}", str(one)) for i, one in enumerate(self.parts)]
        rows += [("exchanged", self.exchanged)] if self.parts else []
        return rows if self.device == "cuda" else [*rows, ("threads", f"{self.threads:,}")]

    def __str__(self) -> str:
        vertices = counted(self.vertices, "vertex", "vertices")
        lines = [f"plan for {vertices}, {counted(self.arcs, 'arc')}"]
        return "\n".join([*lines, *(f"{what:<10} {value}" for what, value in self._rows())])


def plan_for(
    graph: Graph,
    search: str,
    place: Placement,
    method: str,
    why: str,
    dtype: "np.dtype[Any]",
    *,
    answer: int,
    workspace: int,
    threads: int = 1,
    schedule: Schedule = _NOTHING_SAID,
    reads_weights: bool = True,
    reads_reverse: bool = False,
) -> Plan:
    """The plan of a call on a graph; other parameters as of `Plan` and `graph_nbytes`.

    Parameters
    ----------
    answer, workspace : int
        Bytes.
    threads : int
        The CPU's threads, if it runs there.
    """
    read = graph_nbytes(
        graph, place.device, reads_reverse=reads_reverse, reads_weights=reads_weights
    )
    memory = {"graph": read, "answer": answer, "workspace": workspace}
    if place.out_of_core:
        memory["graph"] = (1 + (reads_reverse and graph.directed)) * _offset_nbytes(graph, "cuda")
        memory["pinned"] = read - memory["graph"]
    return Plan(
        search=search,
        device=place.device,
        where=place.why,
        method=method,
        why=why,
        schedule=schedule,
        dtype=dtype,
        threads=threads if place.device == "cpu" else 0,
        vertices=graph.num_vertices,
        arcs=graph.num_arcs,
        memory=memory,
        out_of_core=place.out_of_core,
    )


def memory_of_search(
    graph: Graph,
    search: str,
    device: str,
    dtype: "np.dtype[Any]",
    rows: int | None,
    predecessors: bool,
    threads: int,
) -> dict[str, int]:
    """Bytes of the answer and the workspace of one search, or of some.

    Parameters
    ----------
    rows : int or None
        How many answers there are; None: a single one.
    """
    n, count = graph.num_vertices, rows or 1
    at_once = min(count, max(threads, 1))
    return {
        "answer": count * n * (dtype.itemsize + 4 * predecessors),
        "workspace": at_once * n * _WORKSPACE[search, device] + (count + threads) * _FIXED,
    }


def graph_nbytes(
    graph: Graph, device: str, *, reads_reverse: bool = False, reads_weights: bool
) -> int:
    """Bytes of the arrays of a graph that a run reads.

    Parameters
    ----------
    reads_reverse, reads_weights : bool
        Whether the arcs into each vertex of a directed graph are read, and the weights.
    """
    m = graph.num_arcs
    arcs = (1 + (reads_reverse and graph.directed)) * (4 * m + _offset_nbytes(graph, device))
    if reads_weights and graph.weight_dtype is not None:
        arcs += graph.weight_dtype.itemsize * m
    return int(arcs)


def _offset_nbytes(graph: Graph, device: str) -> int:
    """Bytes of the row offsets."""
    each = graph.resident.row_offsets.dtype.itemsize
    if device == "cuda":
        each = 4 if graph.num_arcs < 2**32 else 8
    return int(each * (graph.num_vertices + 1))
