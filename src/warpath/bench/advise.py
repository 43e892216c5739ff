"""Which method, balance and device are best for this graph? A race, in seconds."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Any

from warpath import devices
from warpath.algorithms.common import tuning
from warpath.bench import clock, machine
from warpath.bench.candidates import Candidate, candidates
from warpath.bench.race import NO_TIME, race
from warpath.bench.source_vertices import draw
from warpath.display import ReprMixin, Row
from warpath.files import replacing
from warpath.graph.check import choose
from warpath.graph.graph import Graph, check_graph
from warpath.typing import DEVICES, SEARCHES, DeviceName, SearchName

SECONDS = 5.0
_SOURCES = 8  # then they come again: each needs a proof, which takes longer than searches


@dataclass(frozen=True, repr=False)
class Advice(ReprMixin):
    """What was best for a graph.

    Attributes
    ----------
    graph, machine : dict
        Which graph, and where.
    candidates : tuple of Candidate
        All, of each algorithm the fastest first.
    best : dict
        The keyword arguments to call each algorithm with.
    """

    graph: dict[str, Any]
    machine: dict[str, Any]
    candidates: tuple[Candidate, ...]
    best: dict[str, dict[str, Any]]

    def _rows(self) -> list[Row]:
        return [
            (algorithm, ", ".join(f"{name}={value!r}" for name, value in best.items()))
            for algorithm, best in self.best.items()
        ]

    def _line(self) -> str:
        return "; ".join(f"{algorithm} with {how}" for algorithm, how in self._rows())

    def save(self, file: str | Path) -> None:
        """Write it as JSON, the profile that `warpath.bfs` and `warpath.sssp` take as their ``schedule``."""
        text = json.dumps({"format": tuning.FORMAT} | asdict(self), indent=1) + "\n"
        with replacing(file) as stream:
            stream.write(text.encode())

    @classmethod
    def load(cls, file: str | Path) -> "Advice":
        """Read what `save` wrote.

        Raises
        ------
        ValueError
            If it is not that.
        """
        data = tuning.read(file)
        try:
            data["candidates"] = tuple(Candidate(**one) for one in data["candidates"])
            return cls(**data)
        except TypeError as error:
            raise ValueError(f"{file}: not a profile of warpath advise: {error}") from None


def advise(
    graph: Graph,
    *,
    algorithms: Iterable[SearchName] = SEARCHES,
    device: DeviceName = "auto",
    seconds: float = SECONDS,
    seed: int = 1,
    compile_ahead: bool = False,
) -> Advice:
    """Measure what is best for a graph.

    Parameters
    ----------
    graph : Graph
    algorithms : iterable of {"bfs", "sssp"}
    device : {"auto", "cpu", "cuda"}
        "auto": all that are here.
    seconds : float
        For each algorithm, about; the time of compiling kernels does not count. `warpath.show_progress`
        says where a bar shows how much of it has passed.
    seed : int
        Draws the sources.
    compile_ahead : bool
        Let other processes compile a GPU's kernels before the clock runs, one per core. They are spawned,
        so a script that asks for it needs ``if __name__ == "__main__":`` (see the module ``multiprocessing``).

    Returns
    -------
    Advice

    Raises
    ------
    ValueError
        An unknown algorithm or device, seconds that are not positive, a graph without vertices;
        seconds that were too few to try all candidates, with how many it takes.
    DeviceUnavailableError
        ``device="cuda"`` where CUDA cannot be used.

    See Also
    --------
    plan : What a call would do, without running it.
    Schedule : How a search runs.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(40, weights=(1, 9), seed=1)
    >>> advice = wp.advise(g, device="cpu", seconds=1)
    >>> wp.sssp(g, 0, **advice.best["sssp"]).distance.shape
    (1600,)
    """
    check_graph(graph)
    wanted = tuple(algorithms)
    for one in wanted:
        if one not in SEARCHES:
            raise ValueError(f"unknown algorithm {one!r}; choose of {', '.join(SEARCHES)}")
    choose("device", device, DEVICES)
    if not seconds > 0:
        raise ValueError(f"seconds must be positive, not {seconds!r}")
    if graph.num_vertices == 0:
        raise ValueError("the graph has no vertices: nothing to measure")
    graph = graph.without_labels()
    if device == "cuda":
        devices.require()
    usable = ("cpu",) if devices.missing() else ("cpu", "cuda")
    here = [name for name in usable if device in ("auto", name)]
    sources = draw(graph, _SOURCES, seed)
    runners = {algorithm: [*candidates(graph, algorithm, here)] for algorithm in wanted}
    if compile_ahead:
        from warpath.bench.prepare import prepare_races  # all that suites need, besides

        compiled = [o for some in runners.values() for o in some if o.device == "cuda"]
        prepare_races([(graph, compiled)])
    found: list[Candidate] = []
    best: dict[str, dict[str, Any]] = {}
    for algorithm in wanted:
        ranked = _compared(algorithm, graph, runners[algorithm], sources, seconds)
        found += ranked
        best[algorithm] = {"device": ranked[0].device} | ranked[0].options
    return Advice(tuning.facts(graph), machine.facts(), tuple(found), best)


def _compared(
    algorithm: str,
    graph: Graph,
    runners: Sequence[Candidate],
    sources: Sequence[int],
    seconds: float,
) -> list[Candidate]:
    """What `race` says, if all candidates were in it.

    Raises
    ------
    ValueError
        With the seconds that it takes, estimated from those that were; or if none worked.
    """
    began = clock.now()
    ranked = race(graph, runners, sources, seconds)
    taken = clock.now() - began
    tried = sum(one.note != NO_TIME for one in ranked)
    if tried < len(ranked):
        needed = max(ceil(taken * len(ranked) / tried), ceil(seconds) + 1)
        raise ValueError(
            f"{seconds:g} s were enough to try {tried} of {len(ranked)} ways to run {algorithm} on "
            f"this graph, which compares nothing: it takes about {needed}: give "
            f"seconds={needed}"
        )
    if ranked[0].seconds is None:
        raise ValueError(f"no way to run {algorithm} worked: {ranked[0].label}: {ranked[0].note}")
    return ranked
