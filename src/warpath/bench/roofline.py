"""Roofline: the bytes that a search must move at least, against its time, below what memory allows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath import devices
from warpath.bench import clock
from warpath.bench.axes import COLORS, WIDTH, legend_beside, mark, save_figure, tidy
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial
from warpath.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OFFSET, _COLUMN, _DISTANCE = 4, 4, 4
# Far beyond the caches of either.
_COPIED = {"cpu": 2**27, "cuda": 2**30}
_COPIES = 5
_NEAR = 0.03  # of the axis: numbers that are nearer to each other than this stand in other rows
_ROW = 10  # points
_MOST_NAMES = 30  # of dots; more would lie over each other


@cache
def bandwidth(device: str) -> float:
    """Bytes a second that a GPU, or one core, reads and writes when it copies: the best of some."""
    if device == "cuda":
        import cupy as xp

        watch: Any = clock.on_device
    else:
        xp, watch = np, clock.on_host
    one = xp.zeros(_COPIED[device], np.uint8)
    other = xp.empty_like(one)
    xp.copyto(other, one)  # pages exist
    seconds = min(watch(lambda: xp.copyto(other, one))[1] for _ in range(_COPIES))
    return float(2 * _COPIED[device] / seconds)


def bandwidths() -> dict[str, float]:
    """Bytes per second of each device that is here."""
    return {
        name: bandwidth(name) for name in ("cpu", "cuda") if name == "cpu" or not devices.missing()
    }


def least_bytes(trial: Trial) -> int | None:
    """What a search that looks at each arc of the component once cannot do without.

    For an arc its column, its weight if it has one, and the distance that it leads to; for a vertex
    its offset and its distance; 4 bytes each. The component's share of the vertices is unknown, and
    taken to be its share of the arcs. A search that looks at fewer arcs (bottom-up)
    can be below the roof, and whatever finds its distances in a cache as well.
    """
    arcs, every, vertices = trial.arcs, trial.graph.get("arcs"), trial.graph.get("vertices")
    if not arcs or not every or not vertices:
        return None
    weighs = trial.configuration["algorithm"] == "sssp" and trial.graph.get("weights") is not None
    item = int(np.dtype(trial.graph["weights"]).itemsize) if weighs else 0
    return bytes_of(arcs, vertices * (arcs / every), item)


def bytes_of(arcs: int, vertices: float, weight: int) -> int:
    """The bytes of this number of arcs and vertices; ``weight``: bytes of one weight, 0 without."""
    return round(arcs * (_COLUMN + _DISTANCE + weight) + vertices * (_OFFSET + _DISTANCE))


@dataclass(frozen=True)
class Point:
    """A configuration on a graph."""

    graph: str
    label: str
    device: str
    nbytes: float
    seconds: float


def points(found: Summary) -> list[Point]:
    """All that were measured and have arcs."""
    made = []
    for graph in found.graphs:
        for label in found.labels:
            cell = found.cell(graph, label)
            if cell is None or cell.seconds is None:
                continue
            sizes = [size for one in cell.good if (size := least_bytes(one)) is not None]
            if sizes:
                made.append(Point(graph, label, cell.device, float(np.median(sizes)), cell.seconds))
    return made


def roofs(trials: Iterable[Trial]) -> dict[str, float]:
    """Bandwidths that stand in the trials, the best of each device."""
    best: dict[str, float] = {}
    for trial in trials:
        for device, value in trial.machine.get("bandwidth", {}).items():
            best[device] = max(value, best.get(device, 0.0))
    return best


def save(found: Summary, file: str | Path) -> bool:
    """Draw it to a file, whose suffix says how; False if there is nothing to draw.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing.
    """
    figure = new_figure()
    shown, tops = points(found), roofs(found.trials)
    if not shown or not tops:
        return False
    figure.set_size_inches(WIDTH, 6.0)
    _draw(figure.subplots(), shown, tops, {one.graph: found.name(one.graph) for one in shown})
    save_figure(figure, found.heading, file)
    return True


def _draw(axes: "Axes", shown: list[Point], tops: dict[str, float], names: dict[str, str]) -> None:
    """A column of dots a graph; a line a device; a number for each graph, and the fastest there.

    The dots have names where they are few.
    """
    styles = {
        "cuda": (COLORS[0], "o", "on the GPU", "the GPU copies"),
        "cpu": (COLORS[1], "s", "on the CPU", "one core copies"),
    }
    low, high = min(p.nbytes for p in shown), max(p.nbytes for p in shown)
    span = np.array([low / 3, high * 3])
    for device, top in tops.items():
        color, _, _, what = styles[device]
        if any(p.device == device for p in shown):
            axes.plot(span, span / top * 1e3, color=color, linewidth=1.2,
                      label=f"{what} {top / 1e9:,.0f} GB/s")  # fmt: skip
    for device, (color, marker, name, _) in styles.items():
        own = [p for p in shown if p.device == device]
        if own:
            axes.plot([p.nbytes for p in own], [p.seconds * 1e3 for p in own], marker, color=color,
                      markersize=5, alpha=0.7, markeredgecolor="white", label=name)  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=span, ylabel="milliseconds",
             xlabel="bytes, if each arc of the component is read once")  # fmt: skip
    legend_beside(axes, top=True)
    tidy(axes, "both")
    mark(axes.xaxis, span.tolist())
    floors = [span[0] / tops[p.device] * 1e3 for p in shown if p.device in tops]
    mark(axes.yaxis, [*(p.seconds * 1e3 for p in shown), *floors])
    for p in shown if len(shown) <= _MOST_NAMES else ():
        axes.annotate(p.label, (p.nbytes, p.seconds * 1e3), (5, 0), textcoords="offset points",
                      fontsize=7, va="center")  # fmt: skip
    sizes = dict(sorted({p.graph: p.nbytes for p in shown}.items(), key=lambda one: one[1]))
    lines = []
    for number, (graph, row) in enumerate(
        _rows(sizes, float(np.log10(span[1] / span[0]))).items(), 1
    ):
        axes.annotate(
            str(number), (sizes[graph], 1), (0, 3 + _ROW * row), fontsize=8, ha="center",
            xycoords=axes.get_xaxis_transform(), textcoords="offset points", annotation_clip=False,
        )  # fmt: skip
        best = min((p for p in shown if p.graph == graph), key=lambda p: p.seconds)
        lines.append(f"{number}  {names[graph]},\n    fastest {best.label}")
    axes.text(1.02, 0, "\n".join(lines), transform=axes.transAxes, fontsize=8, va="bottom")


def _rows(sizes: dict[str, float], decades: float) -> dict[str, int]:
    """In which row above the axes each graph's number stands, so that none lies over another.

    Sizes are ascending.
    """
    rows: dict[str, int] = {}
    row, last = 0, -np.inf
    for name, size in sizes.items():
        near = np.log10(size) - last < _NEAR * decades
        row = row + 1 if near else 0
        rows[name], last = row, np.log10(size)
    return rows
