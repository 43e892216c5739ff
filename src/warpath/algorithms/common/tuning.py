"""Profiles as schedules: searches that do what was measured to be best on their graph."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from warpath import devices
from warpath.graph.arrays import module_of, to_host
from warpath.graph.graph import Graph

FORMAT = 3
"""Of the files that `warpath.bench.advise.Advice.save` writes."""

_SAMPLE = 256  # places of each array by which graphs of the same size differ: a guess


def facts(graph: Graph) -> dict[str, Any]:
    """Which graph it is: its size, and a digest of some of its arcs. Made once per graph."""
    key = ("facts",)
    if key not in graph.derived:
        digest = hashlib.blake2b(digest_size=8)
        for array in graph.resident:
            if array is not None and len(array):
                xp = module_of(array)
                places = xp.linspace(0, len(array) - 1, _SAMPLE).astype("int64")
                digest.update(to_host(array[places]).tobytes())
        graph.derived[key] = {
            "vertices": graph.num_vertices,
            "arcs": graph.num_arcs,
            "directed": graph.directed,
            "weights": None if graph.weight_dtype is None else str(graph.weight_dtype),
            "digest": digest.hexdigest(),
        }
    return graph.derived[key]  # type: ignore[no-any-return]


def tuned(
    search: str, graph: Any, profile: Any, *, algebra: str = "shortest", **given: Any
) -> dict[str, Any]:
    """What a call with a profile asks for of ``device``, ``method`` and ``schedule``.

    Parameters
    ----------
    search : {"bfs", "sssp"}
    profile : str or Path
        Says what the call leaves open.
    **given
        ``device`` and ``method``; "auto" leaves them open.

    Raises
    ------
    ValueError
        See `_chosen`; or a profile for another algebra.
    """
    if algebra != "shortest":
        raise ValueError(
            f"a profile is about shortest paths, not algebra={algebra!r}: leave schedule out"
        )
    return given | {"schedule": None} | _chosen(profile, search, graph, given)


def is_profile(schedule: Any) -> bool:
    """Whether what a call gives as its schedule is the path of a file."""
    return isinstance(schedule, Path) or (isinstance(schedule, str) and schedule.endswith(".json"))


def _chosen(profile: Any, name: str, graph: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Options of the best way that was measured and agrees with those given; none if none does.

    Raises
    ------
    ValueError
        A file that is no profile, one of another graph, or without this search.
    """
    stamp = Path(profile).stat()
    data, where = _read(str(profile), stamp.st_mtime_ns, stamp.st_size), repr(str(profile))
    if isinstance(graph, Graph) and (other := _difference(data["graph"], facts(graph))):
        raise ValueError(
            f"schedule={where}: the profile is of another graph ({other}); make one of this: "
            "warpath advise GRAPH -o profile.json"
        )
    candidates = [one for one in data["candidates"] if one["algorithm"] == name and not one["note"]]
    if not candidates:
        raise ValueError(f"schedule={where}: the profile has nothing about {name}")
    for one in candidates:
        measured: dict[str, Any] = {"device": one["device"], **one["options"]}
        usable = one["device"] == "cpu" or devices.missing() is None
        if usable and all(value in ("auto", measured.get(knob)) for knob, value in given.items()):
            return measured
    return {}


def _difference(expected: dict[str, Any], found: dict[str, Any]) -> str:
    """The first fact that differs."""
    for key, value in found.items():
        if expected.get(key) != value:
            if key == "digest":
                return "its arcs or weights are others"
            return f"{key}: {_shown(expected.get(key))}, not {_shown(value)}"
    return ""


def _shown(value: Any) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else str(value)


@lru_cache(maxsize=16)
def _read(path: str, changed: int, size: int) -> dict[str, Any]:
    """The file, read again only if it has changed."""
    return read(path)


def read(path: str | Path) -> dict[str, Any]:
    """A profile's parts: graph, machine, candidates (of each search the best first), best.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        if data.pop("format") != FORMAT:
            raise ValueError("of another version of warpath")
        keys = {"algorithm", "device", "options", "note"}
        if not {"graph", "candidates"} <= data.keys() or any(
            not keys <= one.keys() for one in data["candidates"]
        ):
            raise ValueError("something is missing")
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: not a profile of warpath advise: {error}") from None
    return data  # type: ignore[no-any-return]
