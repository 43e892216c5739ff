"""How a run went."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted, duration
from warpath.kernel_cache import compile_seconds
from warpath.planning.plan import Plan

_ROWS_SHOWN = 12


class Stopwatch:
    """Runs since it was made."""

    def __init__(self) -> None:
        self._began, self._compiled = perf_counter(), compile_seconds()

    def read(self) -> dict[str, Any]:
        """The two times of `Stats`."""
        compiling = compile_seconds() - self._compiled
        return {
            "seconds": perf_counter() - self._began - compiling,
            "compile_seconds": compiling,
        }


@dataclass(frozen=True, repr=False)
class Stats(ReprMixin):
    """How a run went; ``print(r.stats)`` shows a table.

    Attributes
    ----------
    method : str
        The method that ran, also where ``"auto"`` was asked for.
    why : str
        Why it was taken.
    seconds : float
        Wall time of the whole call, input checks included, without ``compile_seconds``. A call with
        ``device="cuda"`` ends when its work is queued: see ``nanoseconds``.
    compile_seconds : float
        Wall time that kernels took to be compiled, or loaded from disk, while the call ran: some
        seconds the first time on a machine, 0 where a process has called them before.
    threads : int
        The largest team that ran; 0 on a GPU.
    iterations : int
        Levels of a BFS, rounds of a shortest-path method; 1 for those on one queue or
        heap. Several sources are added up. On a GPU what its blocks do without waiting for
        each other, in graphs of large diameter, is one.
    frontier : int64 array, shape (iterations,)
        Vertices expanded in each iteration. Iterations beyond 16,384 are added up in
        the last row (of each source); sources that a GPU searches at once have one row each.
    edges : int64 array, shape (iterations,)
        Arcs inspected in each iteration. For shortest paths these are the relax
        operations that H-BF's figure 9 counts.
    direction : tuple of str
        ``"top-down"`` or ``"bottom-up"``, for BFS.
    improvements : int
        Relax operations that lowered a distance.
    direct_updates : int
        Relax operations without an atomic, because no other edge can lower the vertex: H-BF's edge
        classification.
    delta : float or None
        Width of delta-stepping's buckets; on a GPU of the first ones, where they grow.
    device : str
        ``"cpu"``, or the GPU's model.
    balance : tuple of str
        The load-balancing technique of each iteration on a GPU; empty for bottom-up ones.
    mode : tuple of str
        What ran each iteration on a GPU: ``"block"`` (one, or all, each by itself),
        ``"cluster"`` or ``"grid"``.
    nanoseconds : int64 array
        Duration of each iteration on a GPU; of the first, resetting the arrays included.
    memory : dict of str to int
        Bytes of a BFS on a GPU: ``"graph"``, the arrays of it that are read; ``"answer"``;
        ``"workspace"``, all else: queues, prefix sums, status, what the balance keeps.
    plan : Plan or None
        What was decided, of searches that `warpath.plan` plans.
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
    direct_updates: int = 0
    delta: float | None = None
    device: str = "cpu"
    balance: tuple[str, ...] = field(default=(), repr=False)
    mode: tuple[str, ...] = field(default=(), repr=False)
    nanoseconds: NDArray[np.int64] = field(
        default_factory=lambda: np.empty(0, np.int64), repr=False
    )
    memory: dict[str, int] = field(default_factory=dict, repr=False)
    compile_seconds: float = 0.0
    plan: Plan | None = field(default=None, repr=False)

    @property
    def relaxations(self) -> int:
        """Arcs inspected in all iterations: attempted relax operations."""
        return int(self.edges.sum())

    def of_call(self, watch: Stopwatch, why: str | None, plan: Plan | None) -> "Stats":
        """The same of a call that made this one, why it did, and its plan."""
        return replace(self, **watch.read(), why=why or self.why, plan=plan)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, for JSON."""
        return {
            "method": self.method,
            "why": self.why,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "threads": self.threads,
            "iterations": self.iterations,
            "relaxations": self.relaxations,
            "improvements": self.improvements,
            "direct_updates": self.direct_updates,
            "delta": self.delta,
            "frontier": self.frontier.tolist(),
            "edges": self.edges.tolist(),
            "direction": list(self.direction),
            "device": self.device,
            "balance": list(self.balance),
            "mode": list(self.mode),
            "nanoseconds": self.nanoseconds.tolist(),
            "memory": self.memory,
        }

    def _cost(self) -> str:
        """Time, where, and how much was done."""
        where = counted(self.threads, "thread") if self.device == "cpu" else self.device
        if len(self.nanoseconds):
            where += f" for {self.nanoseconds.sum() / 1e6:.3f} ms"
        if self.compile_seconds >= 0.005:  # what two digits show
            where = f"after {self.compile_seconds:.2f} s of compiling, {where}"
        done = (
            f"{counted(self.iterations, 'iteration')}, {counted(self.relaxations, 'arc')} inspected"
        )
        return f"{duration(self.seconds)}, {where}, {done}"

    def _line(self) -> str:
        return f"{self.method}, {self._cost()}"

    def _rows(self) -> list[Row]:
        rows = [
            ("method", self.method),
            ("why", self.why),
            ("time", duration(self.seconds)),
            ("device", self.device),
            ("iterations", f"{self.iterations:,}"),
            ("arcs inspected", f"{self.relaxations:,}"),
        ]
        return [*rows, ("threads", f"{self.threads:,}")] if self.device == "cpu" else rows

    def __str__(self) -> str:
        on_device = len(self.nanoseconds) > 0
        how = (self.direction, self.mode, self.balance)
        head = f"{'iteration':>9} {'vertices':>12} {'arcs':>14}" + f" {'µs':>9}" * on_device
        lines = [
            f"{self.method} ({self.why}): {self._cost()}",
            head + "  by" * any(map(len, how)),
        ]
        for i in range(min(len(self.edges), _ROWS_SHOWN)):
            line = f"{i:>9} {self.frontier[i]:>12,} {self.edges[i]:>14,}"
            if on_device:
                line += f" {self.nanoseconds[i] / 1e3:>9,.1f}"
            names = (column[i] for column in how if column)
            lines.append("  ".join(filter(None, (line, *names))))
        if len(self.edges) > _ROWS_SHOWN:
            lines.append(f"{'…':>9} {self.iterations - _ROWS_SHOWN:,} more")
        return "\n".join(lines)


class ReportedStats(Stats):
    """`Stats` made of the runs' reports, when they are first read; of a device's then copied to the host.

    Parameters
    ----------
    method, why, device, delta, plan, threads
        As in `Stats`.
    times : dict of str to float
        ``seconds`` and ``compile_seconds``: see `Stopwatch.read`.
    reports : sequence
        What each run left: an object with the attributes ``iterations``, ``frontier``,
        ``edges``, ``nanoseconds``, ``direction``, ``mode`` and ``balance`` of `Stats`.
        Those of shortest paths also have ``improvements``, ``direct_updates``, and ``skipped``: how many
        of the ``edges`` were not relaxed.
    """

    _name = "Stats"
    _reports: Sequence[Any]

    def __init__(
        self,
        method: str,
        why: str,
        times: dict[str, float],
        device: str,
        reports: Sequence[Any],
        delta: float | None = None,
        plan: Plan | None = None,
        threads: int = 0,
    ) -> None:
        self.__dict__.update(
            method=method, why=why, device=device, _reports=reports, threads=threads, delta=delta,
            plan=plan, **times,
        )  # fmt: skip

    def of_call(self, watch: Stopwatch, why: str | None, plan: Plan | None) -> "ReportedStats":
        """The same of a call that made this one, why it did, and its plan."""
        return ReportedStats(
            self.method, why or self.why, watch.read(), self.device, self._reports, self.delta,
            plan, self.threads,
        )  # fmt: skip

    @cached_property
    def iterations(self) -> int:
        """Levels of all runs."""
        return sum(report.iterations for report in self._reports)

    @cached_property
    def improvements(self) -> int:
        """Relax operations that lowered a distance, of all runs."""
        return sum(getattr(report, "improvements", 0) for report in self._reports)

    @cached_property
    def direct_updates(self) -> int:
        """Relax operations without an atomic, of all runs."""
        return sum(getattr(report, "direct_updates", 0) for report in self._reports)

    @property
    def relaxations(self) -> int:
        """Arcs inspected and not skipped in all iterations: attempted relax operations."""
        skipped = sum(getattr(report, "skipped", 0) for report in self._reports)
        return int(self.edges.sum()) - skipped

    @cached_property
    def frontier(self) -> NDArray[np.int64]:
        """Vertices expanded in each iteration."""
        return np.concatenate([report.frontier for report in self._reports])

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """Arcs inspected in each iteration."""
        return np.concatenate([report.edges for report in self._reports])

    @cached_property
    def nanoseconds(self) -> NDArray[np.int64]:
        """Duration of each iteration."""
        return np.concatenate([report.nanoseconds for report in self._reports])

    @cached_property
    def direction(self) -> tuple[str, ...]:
        """Direction of each iteration."""
        return tuple(way for report in self._reports for way in report.direction)

    @cached_property
    def mode(self) -> tuple[str, ...]:
        """Mode of each iteration."""
        return tuple(mode for report in self._reports for mode in report.mode)

    @cached_property
    def balance(self) -> tuple[str, ...]:
        """Technique of each iteration."""
        return tuple(name for report in self._reports for name in report.balance)

    @cached_property
    def memory(self) -> dict[str, int]:
        """Bytes on the device, and ``"pinned"`` ones of the host; of several runs in turn, the most."""
        found: dict[str, int] = {}
        for report in self._reports:
            for what, bytes in getattr(report, "memory", {}).items():
                found[what] = max(bytes, found.get(what, 0))
        return found
