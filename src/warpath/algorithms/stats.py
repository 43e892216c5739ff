"""How a run went."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROWS_SHOWN = 12


@dataclass(frozen=True)
class Stats:
    """How a run went; ``print(r.stats)`` shows a table.

    Attributes
    ----------
    method : str
        The method that ran, also where ``"auto"`` was asked for.
    why : str
        Why it was taken.
    seconds : float
        Wall time of the whole call, input checks included.
    threads : int
        The largest team that ran.
    iterations : int
        Levels of a BFS, rounds of a shortest-path method; 1 for those on one queue or
        heap. Of several sources, the sum.
    frontier : int64 array, shape (iterations,)
        Vertices expanded in each iteration. Iterations beyond 16,384 are added up in
        the last row (of each source).
    edges : int64 array, shape (iterations,)
        Arcs inspected in each iteration. For shortest paths these are the relax
        operations that H-BF's figure 9 counts.
    direction : tuple of str
        ``"top-down"`` or ``"bottom-up"``, for BFS.
    improvements : int
        Relax operations that lowered a distance.
    delta : float or None
        Width of delta-stepping's buckets.
    """

    method: str
    why: str
    seconds: float
    threads: int
    iterations: int
    frontier: NDArray[np.int64] = field(repr=False)
    edges: NDArray[np.int64] = field(repr=False)
    direction: tuple[str, ...] = field(default=(), repr=False)
    improvements: int = 0
    delta: float | None = None

    @property
    def relaxations(self) -> int:
        """Arcs inspected in all iterations: attempted relax operations."""
        return int(self.edges.sum())

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, for JSON."""
        return {
            "method": self.method,
            "why": self.why,
            "seconds": self.seconds,
            "threads": self.threads,
            "iterations": self.iterations,
            "relaxations": self.relaxations,
            "improvements": self.improvements,
            "delta": self.delta,
            "frontier": self.frontier.tolist(),
            "edges": self.edges.tolist(),
            "direction": list(self.direction),
        }

    def __str__(self) -> str:
        lines = [
            f"{self.method} ({self.why}): {self.seconds * 1e3:.2f} ms, {self.threads} threads, "
            f"{self.iterations:,} iterations, {self.relaxations:,} arcs inspected",
            f"{'iteration':>9} {'vertices':>12} {'arcs':>14}",
        ]
        for i in range(min(len(self.edges), _ROWS_SHOWN)):
            way = f"  {self.direction[i]}" if self.direction else ""
            lines.append(f"{i:>9} {self.frontier[i]:>12,} {self.edges[i]:>14,}{way}")
        if len(self.edges) > _ROWS_SHOWN:
            lines.append(f"{'…':>9} {self.iterations - _ROWS_SHOWN:,} more")
        return "\n".join(lines)
