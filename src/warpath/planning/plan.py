"""What a call will do: where, by which method, how, in how much memory, and why."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.display import ReprMixin, Row, counted
from warpath.graph.graph import Graph
from warpath.schedule import Schedule
from warpath.typing import BuildDeviceName

# Bytes per vertex that one search takes beyond its graph and its answer, at most. On the CPU measured
# (tests/algorithms/test_plan.py); on a GPU with 64-bit offsets, of h-bf without the removal of duplicates
# 60 and a bit, of the other methods 24 (`warpath.cuda.sssp`).
_WORKSPACE = {
    ("bfs", "cpu"): 8,
    ("sssp", "cpu"): 26,
    ("bfs", "cuda"): 13,
    ("sssp", "cuda"): 61,
}
_FIXED = 2**20  # of the trace of the iterations, and of each thread's buffers: measured


@dataclass(frozen=True, eq=False, repr=False)
class Plan(ReprMixin):
    """What runs for a call, and why: `warpath.plan` makes one, and `Stats.plan` holds the one that ran.

    Attributes
    ----------
    graph : Graph
    search : {"bfs", "sssp"}
    device : {"cpu", "cuda"}
    where : str
        Why that device.
    method, why : str
        And why it was taken.
    schedule : Schedule
        How it runs: what the call left open is filled in.
    dtype : dtype
        Of the distances.
    rows : int or None
        How many answers there are; None: a single one.
    predecessors : bool
    threads : int
        Of the CPU, at most; 0 on a GPU.
    reads_reverse, reads_weights : bool
        Whether the arcs into each vertex of a directed graph are read, and the weights.
    """

    graph: Graph
    search: str
    device: BuildDeviceName
    where: str
    method: str
    why: str
    schedule: Schedule
    dtype: "np.dtype[Any]"
    rows: int | None
    predecessors: bool
    threads: int
    reads_reverse: bool
    reads_weights: bool

    @property
    def memory(self) -> dict[str, int]:
        """Bytes: ``"graph"``, the arrays of it that are read; ``"answer"``; ``"workspace"``, at most."""
        graph, n = self.graph, self.graph.num_vertices
        offsets = graph.resident.row_offsets.dtype.itemsize
        if self.device == "cuda":
            offsets = 4 if graph.num_arcs < 2**32 else 8
        arcs = (1 + (self.reads_reverse and graph.directed)) * (
            4 * graph.num_arcs + offsets * (n + 1)
        )
        if self.reads_weights and graph.weight_dtype is not None:
            arcs += graph.weight_dtype.itemsize * graph.num_arcs
        at_once = min(self.rows or 1, max(self.threads, 1))
        each = n * _WORKSPACE[self.search, self.device]
        return {
            "graph": arcs,
            "answer": (self.rows or 1) * n * (self.dtype.itemsize + 4 * self.predecessors),
            "workspace": at_once * each + (self.rows or 1) * _FIXED + self.threads * _FIXED,
        }

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, for JSON."""
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
        }

    def _line(self) -> str:
        return f"{self.search} by {self.method}, {self.schedule}, on {self.device}"

    def _rows(self) -> list[Row]:
        memory = self.memory
        rows = [
            ("search", self.search),
            ("device", f"{self.device} ({self.where})"),
            ("method", f"{self.method} ({self.why})"),
            ("schedule", str(self.schedule)),
            ("distances", str(self.dtype)),
            ("memory", ", ".join(f"{what} {size:,} bytes" for what, size in memory.items())),
        ]
        return rows if self.device == "cuda" else [*rows, ("threads", f"{self.threads:,}")]

    def __str__(self) -> str:
        graph = self.graph
        vertices = counted(graph.num_vertices, "vertex", "vertices")
        edges = counted(graph.num_edges, "edge")
        lines = [f"plan for {vertices}, {edges}"]
        return "\n".join([*lines, *(f"{what:<10} {value}" for what, value in self._rows())])
