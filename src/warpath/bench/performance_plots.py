"""Plots of measured figures: ratios to peers, a roofline, growth with size."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from warpath.bench.axes import COLORS, FONT, MARKERS, WIDTH, legend, mark, save_figure, tidy
from warpath.bench.measured import Measured
from warpath.bench.roofline import bytes_of
from warpath.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COPY = 4.3e12  # bytes a second of an H200: measured, 2026-11
_ROW = 0.2  # inches
_SEARCHED = ("gpu search", "gpu auto")
_WEIGHT = 4  # bytes


def shown(name: str, found: Sequence[Measured]) -> list[Measured]:
    """What a plot shows."""
    if name == "peers":
        return [one for one in found if one.table == "peers"]
    if name == "roofline":
        return [
            one
            for one in found
            if one.table in _SEARCHED and one.vertices and one.arcs
            and "predecessors" not in one.search
        ]  # fmt: skip
    if name == "growth":
        return [one for series in _series(found).values() for one in series]
    return []


def save(name: str, found: Sequence[Measured], file: Path) -> None:
    """Draw it to a file.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing: ``pip install 'warpath[plot]'``.
    """
    figure = new_figure()
    title, draw = PLOTS[name]
    draw(figure, shown(name, found))
    save_figure(figure, title, file)


def _peers(figure: "Figure", found: Sequence[Measured]) -> None:
    """A row for each search, a dot for each peer."""
    rows = list(dict.fromkeys(f"{one.graph}, {one.search}" for one in found))
    peers = list(dict.fromkeys(one.peer for one in found))
    figure.set_size_inches(WIDTH, 1.0 + _ROW * len(rows))
    axes = figure.subplots()
    handles = []
    for i, peer in enumerate(peers):
        own = [one for one in found if one.peer == peer]
        (handle,) = axes.plot(
            [one.times_faster or np.nan for one in own],
            [rows.index(f"{one.graph}, {one.search}") for one in own],
            MARKERS[i], color=COLORS[i], markersize=5, linestyle="none", label=peer,
        )  # fmt: skip
        handles.append(handle)
    axes.axvline(1, color="0.4", linewidth=0.8, zorder=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="y", color="0.8", linewidth=0.6, linestyle=":")
    axes.set_xlabel("times as long as warpath", fontsize=FONT)
    tidy(axes, "x")
    mark(axes.xaxis, [1.0, *(one.times_faster or 1.0 for one in found)])
    legend(figure, handles)


def _roofline(figure: "Figure", found: Sequence[Measured]) -> None:
    figure.set_size_inches(WIDTH, 4.5)
    axes = figure.subplots()
    searches = {"BFS": (0, 0), "SSSP": (1, _WEIGHT)}
    points = [
        (kind, bytes_of(one.arcs or 0, one.vertices or 0, searches[kind][1]), one)
        for one in found
        if (kind := one.search.partition(",")[0]) in searches
    ]
    handles = []
    for kind, (i, _) in searches.items():
        own = [(size, one) for name, size, one in points if name == kind]
        (handle,) = axes.plot(
            [size for size, _ in own], [one.ms or np.nan for _, one in own],
            MARKERS[i], color=COLORS[i], markersize=5, linestyle="none", label=kind,
        )  # fmt: skip
        handles.append(handle)
    for _, size, one in points:
        if one.bound:
            axes.annotate(
                f"{one.graph}, {one.search}", (size, one.ms or np.nan), (5, 0),
                textcoords="offset points", fontsize=6, va="center",
            )  # fmt: skip
    sizes = [size for _, size, _ in points]
    span = np.array([min(sizes) / 1.5, max(sizes) * 1.5])
    (line,) = axes.plot(span, span / COPY * 1e3, color=COLORS[2], linewidth=1.2,
                        label="a copy, 4.3 TB/s")  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="bytes, if each edge is read once", ylabel="ms")
    tidy(axes, "both")
    mark(axes.xaxis, span.tolist())
    mark(axes.yaxis, [*(one.ms or 1.0 for *_, one in points), *(span / COPY * 1e3).tolist()])
    legend(figure, [*handles, line])


def _series(found: Sequence[Measured]) -> Mapping[str, list[Measured]]:
    """Lines of growth: R-MAT graphs with 16 edges per vertex, by search and machine."""
    series: dict[str, list[Measured]] = {}
    for one in found:
        if one.table == "growth" and one.arcs:
            series.setdefault(f"{one.search}, {one.machine}", []).append(one)
    return series


def _growth(figure: "Figure", found: Sequence[Measured]) -> None:
    figure.set_size_inches(WIDTH, 3.6)
    axes = figure.subplots()
    handles = []
    for i, (name, own) in enumerate(_series(found).items()):
        ordered = sorted(own, key=lambda one: one.arcs or 0)
        (handle,) = axes.plot(
            [one.arcs or 0 for one in ordered], [one.ms or np.nan for one in ordered], f"{MARKERS[i]}-",
            color=COLORS[i], markersize=5, linewidth=1.2, label=name,
        )  # fmt: skip
        handles.append(handle)
    axes.set(xscale="log", yscale="log", xlabel="arcs: two for each edge", ylabel="ms")
    tidy(axes, "both")
    mark(axes.xaxis, [one.arcs or 1 for one in found])
    mark(axes.yaxis, [one.ms or 1.0 for one in found])
    legend(figure, handles)


PLOTS: dict[str, tuple[str, Callable[["Figure", Sequence[Measured]], None]]] = {
    "peers": ("Other libraries' time over warpath's, two cores", _peers),
    "roofline": ("Searches on one H200 and the time of a copy", _roofline),
    "growth": ("Time of a search of an R-MAT graph, 16 edges per vertex", _growth),
}
