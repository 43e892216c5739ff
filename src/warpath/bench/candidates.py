"""The ways to search a graph that are worth a try, on each device."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from warpath.graph.graph import Graph
from warpath.operators import lookup
from warpath.operators.asked import as_dtype
from warpath.planning.shortest_paths import relaxation

_DELTAS = (0.25, 0.5, 2.0, 4.0)  # times the default
_BALANCES = (
    "merge-path", "multi-phase-search", "auto", "virtual-warp:width=4", "virtual-warp:width=16",
    "thread-mapped",
)  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """One way to call an algorithm, and what it took.

    Attributes
    ----------
    algorithm : {"bfs", "sssp"}
    device : {"cpu", "cuda"}
    options : dict
        All but the device; empty for the default.
    seconds : float or None
        The median of wall times; None: it was not tried.
    searches : int
        How many there were.
    note : str
        Why it was not tried, or what went wrong.
    """

    algorithm: str
    device: str
    options: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    searches: int = 0
    note: str = ""

    @property
    def label(self) -> str:
        """``cuda, method=workfront-sweep, merge-path``: a schedule stands there as its text."""
        given = (
            value if name == "schedule" else f"{name}={value}"
            for name, value in self.options.items()
        )  # fmt: skip
        return ", ".join((self.device, *given))


def candidates(graph: Graph, algorithm: str, here: Iterable[str]) -> Iterator[Candidate]:
    """What is worth a try, on each device the default first."""
    for device in here:
        one = partial(Candidate, algorithm, device)
        yield one()
        if algorithm == "bfs":
            yield one({"schedule": "direction=top-down"})
            if device == "cuda":
                yield from (
                    one({"schedule": f"{balance},direction=top-down"}) for balance in _BALANCES
                )
            continue
        if graph.weight_range[0] < 0:
            if device == "cuda":
                yield one({"method": "h-bf"})
                yield from (
                    one({"method": "workfront-sweep", "schedule": balance}) for balance in _BALANCES
                )
            continue
        if device == "cpu":
            yield one({"method": "dijkstra"})
        else:
            yield from (
                one({"method": method}) for method in ("near-far", "h-bf", "workfront-sweep")
            )
            yield from (one({"schedule": balance}) for balance in _BALANCES)
        default = _default_delta(graph, device)
        yield from (
            one({"method": "delta-stepping", "schedule": f"delta={default * by:.4g}"})
            for by in _DELTAS
        )


def _default_delta(graph: Graph, device: str) -> float:
    """The bucket width that delta-stepping takes by itself."""
    measure = lookup("shortest")
    made = relaxation(
        graph, measure, "delta-stepping", False, None, None,
        as_dtype(graph, measure, None), device,
    )  # fmt: skip
    assert made.width is not None  # the method has one
    return made.width.first
