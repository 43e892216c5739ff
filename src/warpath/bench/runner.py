"""The one runner: a suite, on what is here, to trials."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from warpath import devices
from warpath.bench import machine
from warpath.bench.measure import Subject, measure
from warpath.bench.sources import draw
from warpath.bench.suite import Case, Configuration, Suite
from warpath.bench.tasks import TASKS
from warpath.bench.trial import Trial
from warpath.bench.weights import weighted

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

SOURCES, ALL_SOURCES, QUICK_SOURCES = 20, 100, 5
QUICK_SCALE = 0.1
LIMIT = 10.0
_DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True)
class Settings:
    """How to run suites.

    Attributes
    ----------
    device : {"auto", "cpu", "cuda"}
        "auto": both, as far as they are here.
    scale : float
        Times the vertices of the suite's graphs.
    sources : int
        Of each graph.
    seed : int
        Of graphs and sources.
    limit : float
        Seconds that a configuration may measure on a graph, cold call and verification apart.
    originals : bool
        The papers' own graphs, where they were fetched.
    graphs, configurations : tuple of str
        Parts of names; empty: all.

    Raises
    ------
    ValueError
        A device, or a number, that cannot be meant.
    """

    device: str = "auto"
    scale: float = 1.0
    sources: int = SOURCES
    seed: int = 1
    limit: float = LIMIT
    originals: bool = False
    graphs: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.device not in _DEVICES:
            raise ValueError(f"unknown device {self.device!r}; choose one of {', '.join(_DEVICES)}")
        for name in ("scale", "limit"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
        if self.sources < 1:
            raise ValueError(f"sources must be at least 1, not {self.sources!r}")

    def leaves_out(self, configuration: Configuration) -> str | None:
        """Why a configuration is left out; None: it is not."""
        if self.device not in ("auto", configuration.device):
            return f"--device {self.device}"
        return devices.missing() if configuration.device == "cuda" else None


def run(
    name: str, suite: Suite, settings: Settings, on_trial: Callable[[Trial], None] = lambda _: None
) -> list[Trial]:
    """All trials of a suite; ``on_trial`` sees each as it is made.

    Raises
    ------
    ValueError
        Settings that choose no graph or no configuration.
    """
    cases = _chosen(suite.cases, "graph", settings.graphs, lambda case: case.name)
    configurations = _chosen(
        suite.configurations, "configuration", settings.configurations, lambda one: one.label
    )
    trials = []
    for case in cases:
        for trial in _trials(case, configurations, suite.scale, settings):
            trials.append(
                replace(
                    trial,
                    suite=name,
                    machine=machine.facts(),
                    versions=machine.versions(),
                    commit=machine.commit(),
                    when=machine.now(),
                )
            )
            on_trial(trials[-1])
        _free_memory()
    return trials


def _trials(
    case: Case, configurations: Iterable[Configuration], scale: float, settings: Settings
) -> Iterator[Trial]:
    """Of one graph, which is only made if something is measured on it."""
    left_out = {one.label: settings.leaves_out(one) for one in configurations}
    graph: dict[str, Any] = {
        "name": case.name, "kind": "generated" if case.build else "stand-in", "recipe": case.recipe,
        "scale": scale * settings.scale, "seed": settings.seed,
        "vertices": None, "arcs": None, "directed": None, "weights": None,
    }  # fmt: skip
    subject = None
    for configuration in configurations:
        about = asdict(configuration) | {"options": _plain(configuration.options)}
        about = {key: about[key] for key in _SHOWN}
        why = left_out[configuration.label]
        if why is not None:
            yield Trial("", graph, about, status="left-out", why=why)
            continue
        if subject is None:
            made, provenance = _make(
                case, scale * settings.scale, settings.seed, settings.originals
            )
            starts = any(TASKS[one.algorithm].repetitions is None for one in configurations)
            sources = draw(made, settings.sources, settings.seed) if starts else []
            subject = Subject(made, sources)
            graph = graph | provenance | _size(made)
        for fields in measure(subject, configuration, settings.limit):
            yield Trial("", graph, about, **fields)


_SHOWN = ("label", "by", "algorithm", "device", "threads", "options")


def _size(graph: "Graph") -> dict[str, Any]:
    return {
        "vertices": graph.num_vertices,
        "arcs": graph.num_arcs,
        "directed": graph.directed,
        "weights": None if graph.weights is None else str(graph.weights.dtype),
    }


@lru_cache(maxsize=4)  # suites that follow each other share graphs: Hong et al. have four
def _make(case: Case, scale: float, seed: int, originals: bool) -> tuple["Graph", dict[str, Any]]:
    """The graph with its weights, and where it is from."""
    if case.build is not None:
        graph, provenance = case.build(scale, seed), dict[str, Any]()
    else:
        from warpath.bench import paper_graphs

        graph, provenance = paper_graphs.graph(case.name, scale, seed, originals=originals)
        known = ("kind", "recipe", "scale", "seed")
        provenance = {key: provenance[key] for key in known if key in provenance}
    return weighted(graph, case.weights), provenance


def _chosen(every: Iterable[Any], what: str, parts: tuple[str, ...], name: Any) -> list[Any]:
    """Those whose name has one of the parts in it."""
    found = [one for one in every if not parts or any(part in name(one) for part in parts)]
    if not found:
        names = ", ".join(name(one) for one in every)
        raise ValueError(f"no {what} has {' or '.join(map(repr, parts))} in its name: {names}")
    return found


def _plain(value: Any) -> Any:
    """Options in terms of JSON: a technique or a dtype as what it prints."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return (
            sorted(map(_plain, value))
            if isinstance(value, (set, frozenset))
            else [*map(_plain, value)]
        )
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def _free_memory() -> None:
    """Give a GPU's memory back that a graph's arrays took."""
    if devices.missing() is None:
        import cupy

        cupy.get_default_memory_pool().free_all_blocks()
