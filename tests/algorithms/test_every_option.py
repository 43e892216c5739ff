"""On a machine without a GPU no option is ignored: each changes the answer, or raises."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath import devices
from warpath.schedule import searches

GRAPH = wp.generate.grid(12, weights=(1, 9), seed=1)
FLOATS = GRAPH.with_weights(GRAPH.weights / 3)  # type: ignore[operator]
UNAVAILABLE = wp.DeviceUnavailableError


@dataclass(frozen=True)
class Option:
    """A value of an option, and what must come of it.

    Attributes
    ----------
    value : object
    outcome : exception type, or callable
        What the call raises; or whether the answer with the option (second) differs as it must
        from the answer without it (first).
    given : dict
        Other arguments of both calls.
    """

    value: Any
    outcome: type[Exception] | Callable[[Any, Any], bool]
    given: dict[str, Any]


def changes(what: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    return lambda before, after: not np.array_equal(what(before), what(after))


def of(value: Any, outcome: Any, **given: Any) -> Option:
    return Option(value, outcome, given)


def method(found: Any) -> str:
    return str(found.stats.method)


def distance(found: Any) -> Any:
    return found.distance


def parents(found: Any) -> bool:
    return found.predecessor is None


def rows(found: Any) -> int:
    return len(found.stats.edges)


def as_many_rows_as_iterations(before: Any, after: Any) -> bool:
    return rows(before) == before.stats.iterations > 0 == rows(after)


SCHEDULE = of("virtual-warp", UNAVAILABLE)
DEVICE = of("cuda", UNAVAILABLE)
DEVICES = of(2, UNAVAILABLE)


TICKS: list[Any] = []


def ticks(*progress: int) -> None:
    TICKS.append(progress)


def has_ticked(*_: Any) -> bool:
    there = bool(TICKS)
    TICKS.clear()
    return there


def itself(found: Any) -> Any:
    return found


@wp.operator
def ascend(u, v):  # type: ignore[no-untyped-def]
    return u < v


# Arrays say where an operator runs, and there are none on a GPU.
ON_GPU = of("virtual-warp", ValueError)
OF_OPERATORS = {"advance", "traverse", "aggregate"}
PROGRESS = of(ticks, has_ticked)
WEIGHTED = of(False, changes(itself))
IN_PARTS = wp.Graph.from_edges([0, 2], [1, 3], directed=False)
ONE_WAY = wp.Graph.from_edges([0, 1], [1, 2])
OPTIONS: dict[Callable[..., Any], dict[str, Option]] = {
    wp.connected_components: {"device": DEVICE, "devices": DEVICES, "schedule": SCHEDULE},
    wp.bfs: {
        "depth_limit": of(3, changes(distance)),
        "predecessors": of(False, changes(parents)),
        "nearest": of(True, changes(distance), source=[0, 5]),
        "device": DEVICE,
        "devices": DEVICES,
        "schedule": SCHEDULE,
        "trace": of(False, as_many_rows_as_iterations),
    },
    wp.sssp: {
        "algebra": of("widest", changes(distance)),
        "method": of("dijkstra", changes(method)),
        "target": of(1, changes(distance)),
        "cutoff": of(3, changes(distance)),
        "dtype": of(np.float64, changes(lambda r: r.distance.dtype)),
        "predecessors": of(False, changes(parents)),
        "nearest": of(True, changes(distance), source=[0, 5]),
        "device": DEVICE,
        "devices": DEVICES,
        "schedule": SCHEDULE,
        "trace": of(False, as_many_rows_as_iterations),
    },
    wp.apsp: {
        "method": of("floyd-warshall", changes(method)),
        "device": DEVICE,
        "devices": DEVICES,
        "predecessors": of(True, changes(parents)),
        "algebra": of("widest", changes(distance)),
        "dtype": of(np.float64, changes(lambda r: r.distance.dtype)),
        "exact": of(True, changes(lambda r: r.exact), graph=FLOATS, method="r-kleene"),
        "lazy": of(True, ValueError, method="sssp"),
        "out": of("apsp.npy", lambda *_: Path("apsp.npy").exists()),
        "progress": PROGRESS,
    },
    wp.shortest_path: {
        "weighted": of(False, changes(lambda r: r.length)),
        "algebra": of("widest", changes(lambda r: r.length)),
        "method": of("dijkstra", changes(method)),
        "device": DEVICE,
        "schedule": SCHEDULE,
    },
    wp.distance_matrix: {
        "algebra": of("widest", changes(distance)),
        "cutoff": of(3, changes(distance)),
        "dtype": of(np.float64, changes(lambda r: r.distance.dtype)),
        "device": DEVICE,
        "out": of("matrix.npy", lambda *_: Path("matrix.npy").exists()),
        "progress": PROGRESS,
    },
    wp.st_connected: {"device": DEVICE, "schedule": SCHEDULE},
    wp.k_shortest_paths: {"weighted": of(False, changes(lambda r: r.lengths)), "device": DEVICE},
    wp.eccentricity: {"weighted": WEIGHTED, "progress": PROGRESS},
    wp.diameter: {"weighted": WEIGHTED, "progress": PROGRESS},
    wp.closeness: {
        "weighted": WEIGHTED,
        "by_share": of(False, changes(itself), graph=IN_PARTS),
        "progress": PROGRESS,
    },
    wp.harmonic: {"weighted": WEIGHTED, "progress": PROGRESS},
    wp.betweenness: {
        "device": DEVICE,
        "schedule": SCHEDULE,
        "weighted": WEIGHTED,
        "sources": of([0, 5], changes(itself)),
        "normalized": of(False, changes(itself)),
        "endpoints": of(True, changes(itself)),
        "progress": PROGRESS,
    },
    wp.edge_betweenness: {
        "device": DEVICE,
        "schedule": SCHEDULE,
        "weighted": WEIGHTED,
        "sources": of([0, 5], changes(itself)),
        "normalized": of(False, changes(itself)),
        "progress": PROGRESS,
    },
    wp.isochrone: {
        "towards": of(True, changes(lambda found: found.vertices()), graph=ONE_WAY),
        "device": DEVICE,
    },
    wp.statistics: {"diameter": of(False, changes(str))},
    wp.advance: {"schedule": ON_GPU},
    wp.traverse: {"schedule": ON_GPU, "max_iterations": of(1, changes(itself))},
    wp.aggregate: {
        "schedule": ON_GPU,
        "by": of("max", ValueError),
        "frontier": of(wp.Frontier(GRAPH, [0, 1, 17]), changes(itself)),
        "among": of(wp.Frontier(GRAPH, [0, 1, 17]), changes(itself)),
        "others": of("neutral", ValueError),
        "layers": of(2, changes(itself)),
        "out": of(np.ones(GRAPH.num_vertices, np.int64), changes(itself)),
    },
    wp.pagerank: {
        "damping": of(0.5, changes(itself)),
        "personalization": of({0: 1}, changes(itself)),
        "dangling": of({0: 1}, changes(itself), graph=ONE_WAY),
        "tolerance": of(0.1, changes(itself)),
        "max_iterations": of(1, RuntimeError),
        "device": DEVICE,
        "schedule": SCHEDULE,
    },
    wp.triangles: {"device": DEVICE, "schedule": SCHEDULE},
    wp.core_numbers: {"device": DEVICE, "schedule": SCHEDULE},
    wp.maximal_independent_set: {
        "seed": of(1, changes(itself)),
        "device": DEVICE,
        "schedule": SCHEDULE,
    },
    wp.label_propagation: {
        "seed": of(1, changes(lambda found: found[0])),
        "max_iterations": of(1, RuntimeError),
        "device": DEVICE,
        "schedule": SCHEDULE,
    },
    wp.strongly_connected_components: {"device": DEVICE, "schedule": SCHEDULE},
    wp.minimum_spanning_forest: {"device": DEVICE, "schedule": SCHEDULE},
    wp.clustering: {"device": DEVICE, "schedule": SCHEDULE},
}
# `advise` measures, and what it measures varies; `balance_profile` is of a GPU alone; `plan` has the
# searches' options: tests/algorithms/test_plan.py.
ELSEWHERE = {"advise", "balance_profile", "plan"}
PLACES: dict[str, Any] = {
    "graph": GRAPH, "source": 0, "target": 100, "sources": [0, 5], "targets": [7, 9], "k": 3, "limits": 9,
    "frontier": wp.Frontier(GRAPH, 0), "operator": ascend,
}  # fmt: skip
# A value of each field of a schedule, and what it does without a GPU.
EITHER_DIRECTION = changes(lambda r: r.stats.direction)
VALUES: dict[str, Option] = {
    "balance": SCHEDULE,
    "frontier": of("bitmap", UNAVAILABLE),
    "duplicates": of("hash", UNAVAILABLE),
    "enqueue": of("summed", UNAVAILABLE),
    "small_frontiers": of("off", UNAVAILABLE),
    "prefilter": of("on", UNAVAILABLE),
    "path_limit": of("on", UNAVAILABLE),
    "direction": of("bottom-up", EITHER_DIRECTION),
    "alpha": of(1e9, EITHER_DIRECTION),
    "beta": of(1e9, EITHER_DIRECTION, alpha=1e9),
    "delta": of(2, changes(lambda r: r.stats.delta)),
    "loop": of("host", UNAVAILABLE),
    "optimizations": of("edge-queue", UNAVAILABLE),
}
FIELDS = [
    pytest.param(getattr(wp, search), field, id=f"{search}, {field}")
    for search, fields in searches.FIELDS.items()
    for field in fields
    if search not in OF_OPERATORS
]


def with_options() -> list[Any]:
    return [
        pytest.param(function, name, option, id=f"{function.__name__}, {name}")
        for function, options in OPTIONS.items()
        for name, option in options.items()
    ]


def call(function: Callable[..., Any], **given: Any) -> Any:
    """With arguments for the parameters that have no default."""
    needed = [
        name
        for name, one in inspect.signature(function).parameters.items()
        if (one.default is one.empty or name == "targets") and one.kind is not one.VAR_POSITIONAL
    ]
    return function(**{name: PLACES[name] for name in needed} | given)


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("function", OPTIONS, ids=lambda one: one.__name__)
def test_the_table_has_every_option(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    assert {one.name for one in parameters if one.kind is one.KEYWORD_ONLY} == set(
        OPTIONS[function]
    )


def test_the_table_has_every_function_of_a_graph_with_options() -> None:
    functions = {
        name: [one.kind for one in inspect.signature(getattr(wp, name)).parameters.values()]
        for name in wp.__all__
        if inspect.isfunction(getattr(wp, name))
        and next(iter(inspect.signature(getattr(wp, name)).parameters), "") == "graph"
    }
    with_some = {
        name for name, kinds in functions.items() if inspect.Parameter.KEYWORD_ONLY in kinds
    }
    known = {function.__name__ for function in OPTIONS}
    assert with_some - known <= ELSEWHERE | {"write"}  # its format: tests/io
    assert known <= with_some


@pytest.mark.parametrize(("function", "name", "option"), with_options())
def test_an_option_has_an_effect_or_raises(
    function: Callable[..., Any], name: str, option: Option
) -> None:
    given = option.given | {name: option.value}
    if isinstance(option.outcome, type):
        with pytest.raises(option.outcome) as caught:
            call(function, **given)
        if option.outcome is UNAVAILABLE:
            assert "there is no NVIDIA GPU" in str(caught.value)
    else:
        before, after = call(function, **option.given), call(function, **given)
        assert option.outcome(before, after)


@pytest.mark.parametrize(("function", "field"), FIELDS)
def test_a_field_of_a_schedule_has_an_effect_or_raises(
    function: Callable[..., Any], field: str
) -> None:
    option = VALUES[field]
    before = wp.Schedule(**option.given)
    after = replace(before, **{field: option.value})
    if not isinstance(option.outcome, type):
        found = call(function, schedule=before), call(function, schedule=after)
        assert option.outcome(*found)
        return
    if field == "optimizations":  # of a method that only a GPU has
        with pytest.raises(UNAVAILABLE, match=r"^device=.cuda.: there is no NVIDIA GPU$"):
            call(function, schedule=after, method="h-bf")
        return
    said = f"{field}='{'on' if option.value is True else option.value}'"
    with pytest.raises(UNAVAILABLE, match=f"^only a GPU has {said}: there is no NVIDIA GPU$"):
        call(function, schedule=after)
    with pytest.raises(ValueError, match=f"^{said} is for device='cuda', not 'cpu'$"):
        call(function, schedule=after, device="cpu")
    if "source" in inspect.signature(function).parameters:
        with pytest.raises(ValueError, match="out of range"):
            call(function, schedule=after, source=144)


@pytest.mark.parametrize("function", [getattr(wp, name) for name in searches.FIELDS])
def test_a_field_of_another_search_is_refused(function: Callable[..., Any]) -> None:
    own = searches.FIELDS[function.__name__]
    for field, option in VALUES.items():
        if field not in own:
            schedule = wp.Schedule(**{field: option.value})  # type: ignore[arg-type]
            with pytest.raises(
                ValueError, match=f"{function.__name__} has no (balance|{field}); it has"
            ):
                call(function, schedule=schedule)


def test_by_weight_or_not_a_path_needs_the_gpu_that_its_schedule_needs() -> None:
    for given in ({"weighted": False}, {"algebra": "widest"}, {"graph": GRAPH.without_weights()}):
        with pytest.raises(UNAVAILABLE):
            call(wp.shortest_path, schedule="virtual-warp", **given)
    with pytest.raises(UNAVAILABLE):
        call(wp.shortest_path, schedule="virtual-warp", target=0)
