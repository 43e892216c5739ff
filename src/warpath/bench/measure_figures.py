"""Figures for the page of performance, from the trials of three suites: peers, growth and gap."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import log2
from statistics import median
from typing import Any

from warpath.bench.gap_traffic import TRAFFIC
from warpath.bench.measured import Measured
from warpath.bench.summary import Cell, Summary
from warpath.bench.trial import Trial

SUITES = ("peers", "growth", "gap")
_OURS = {"cpu": "{}, warpath", "cuda": "{}, warpath on a GPU"}  # labels of the suite peers
_TABLES = {"cpu": "peers", "cuda": "gpu peers"}
_WRITTEN = {
    "scipy": "SciPy", "networkx": "NetworkX", "networkit": "NetworKit", "gapbs": "GAPBS",
    "graphblas": "GraphBLAS", "cugraph": "cuGraph", "gunrock": "Gunrock",
}  # fmt: skip


def figures(found: Mapping[str, Summary]) -> Iterator[Measured]:
    """Each peer on each graph that it took, each size, and each of GAP's kernels on a GPU."""
    if "peers" in found:
        yield from _of_peers(found["peers"])
    if "growth" in found:
        yield from _of_growth(found["growth"])
    if "gap" in found:
        yield from _of_gap(found["gap"])


def _of_peers(found: Summary) -> Iterator[Measured]:
    for (graph, _), cell in found.cells.items():
        last = cell.trials[-1]
        about = last.configuration
        ours = found.cell(graph, _OURS[about["device"]].format(about["algorithm"]))
        if about["by"] == "warpath" or ours is None or not ours.seconds or not cell.seconds:
            continue
        yield Measured(
            table=_TABLES[about["device"]], graph=found.name(graph),
            search=f"{about['algorithm'].upper()}, {last.graph['weights']}", ms=_ms(ours.seconds),
            peer=_WRITTEN.get(about["by"], about["by"]), version=_version(last),
            peer_ms=_ms(cell.seconds), ratio=_ratio(cell, ours), **_origin(last),
        )  # fmt: skip


def _version(trial: Trial) -> str:
    """The peer's; "" where it does not say."""
    version = trial.extra.get("version") or ""
    return "" if version == "unknown" else version


def _of_growth(found: Summary) -> Iterator[Measured]:
    for (_, label), cell in found.cells.items():
        last = cell.trials[-1]
        if cell.seconds:
            yield Measured(
                table="growth", graph=_size(last.graph["vertices"]), search=label.partition(",")[0],
                ms=_ms(cell.seconds), vertices=last.graph["vertices"], arcs=last.graph["arcs"],
                **_origin(last),
            )  # fmt: skip


def _size(vertices: int) -> str:
    """The name of a graph of 16 edges per vertex, whatever the scale of the run."""
    return f"R-MAT, 2^{round(log2(16 * vertices))} edges"


def _of_gap(found: Summary) -> Iterator[Measured]:
    """The call's time next to that of GAP's own code, and of PageRank an iteration's."""
    for (graph, label), cell in found.cells.items():
        last, kernel = cell.trials[-1], label.partition(",")[0]
        about = last.configuration
        if (about["device"], about["by"]) != ("cuda", "warpath") or not cell.seconds:
            continue
        published = found.suite.published.get((graph, label))
        vertices, arcs = last.graph["vertices"], last.graph["arcs"]
        times = {kernel: cell.seconds}
        if kernel == "PR":
            times["PR, one iteration"] = cell.seconds / cell.count("iterations")
        for search, seconds in times.items():
            one = Measured(
                table="gap", graph=found.name(graph), search=search, ms=_ms(seconds),
                vertices=vertices, arcs=arcs, **_origin(last),
            )  # fmt: skip
            if (traffic := TRAFFIC.get(search)) is not None:
                ms = traffic.ms(vertices, arcs, last.machine["bandwidth"]["cuda"])
                one = replace(one, floor_ms=_ms(ms / 1e3), bound=traffic.says)
            if search == kernel and published:
                one = replace(one, peer="GAP", peer_ms=_ms(published))
            yield one


def _ratio(cell: Cell, ours: Cell) -> float:
    """The median over the sources that both have."""
    known = {one.source: one.seconds for one in ours.good}
    ratios = [
        one.seconds / own
        for one in cell.good
        if one.seconds and (own := known.get(one.source)) is not None
    ]
    return float(f"{median(ratios):.3g}")


def _origin(trial: Trial) -> dict[str, Any]:
    scale = trial.graph["scale"]
    device, machine = trial.configuration["device"], trial.machine
    cores = f"{machine['threads']} cores of {machine['cpu']}"
    return {
        "device": device,
        "command": f"warpath bench {trial.suite}" + (f" --scale {scale:g}" if scale != 1 else ""),
        "machine": machine["gpu"] if device == "cuda" else cores,
        "date": trial.when[:10],
    }


def _ms(seconds: float) -> float:
    return float(f"{seconds * 1e3:.4g}")
