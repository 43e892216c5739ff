"""A suite's trials as a picture: bars of speed-ups, lines over a size or a knob, degrees."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpath.bench.summary import Summary
from warpath.bench.table import digits
from warpath.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito: told apart also by those who see fewer colours; the yellow is too pale for lines.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = "osD^vP*"
_DOTS_AN_INCH = 150
_WIDTH = 9.0  # inches
_BAR = 0.24  # inches, so that a label beside it can be read
_LABEL = 28  # characters, then a new line


def save(found: Summary, file: str | Path) -> bool:
    """Draw the suite's figure to a file, whose suffix says how; False if there is nothing to draw.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing: ``pip install 'warpath[plot]'``.
    """
    figure = new_figure()
    if not _DRAW[found.suite.plot](figure, found):
        return False
    save_figure(figure, found.suite.title, file)
    return True


def new_figure() -> "Figure":
    """An empty one, without a window.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing: ``pip install 'warpath[plot]'``.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError("a plot needs matplotlib: pip install 'warpath[plot]'") from None
    return Figure(layout="constrained")


def save_figure(figure: "Figure", title: str, file: str | Path) -> None:
    """Write it under its title."""
    figure.suptitle(title)
    write(figure, file)


def write(figure: "Figure", file: str | Path) -> None:
    """Write it; the suffix says how, without one it is a PNG. An old file is replaced as a whole.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If Matplotlib does not know the suffix.
    """
    with replacing(file) as stream:
        figure.savefig(stream, format=Path(file).suffix[1:] or "png", dpi=_DOTS_AN_INCH)


def _bars(figure: "Figure", found: Summary) -> bool:
    """A panel a graph, a bar a configuration: times faster than the baseline, or milliseconds."""
    panels = []
    for graph in found.graphs:
        base = found.suite.baseline
        if base and found.seconds(graph, base) is None:
            base = ""
        bars = []
        for label in found.labels:
            seconds = found.seconds(graph, label)
            value = found.ratio(graph, base, label) if base else seconds and seconds * 1e3
            if seconds is not None and value is not None:
                bars.append((label, value, found.published_ratio(graph, base, label)))
        if bars:
            panels.append((graph, base, bars))
    if not panels:
        return False
    heights = [1.1 + _BAR * len(bars) for _, _, bars in panels]
    figure.set_size_inches(_WIDTH, 0.5 + sum(heights))
    every = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
    for axes, (graph, base, bars) in zip(every, panels, strict=True):
        labels = [textwrap.fill(label, _LABEL) for label, _, _ in bars]
        values = [value for _, value, _ in bars]
        axes.barh(range(len(bars)), values, color=COLORS[0], height=0.7)
        for i, value in enumerate(values):  # beside the panel: nothing can lie over them
            axes.text(1.01, i, digits(value), transform=axes.get_yaxis_transform(),
                      va="center", fontsize=8)  # fmt: skip
        theirs = [(i, paper) for i, (label, _, paper) in enumerate(bars) if paper and label != base]
        if theirs:
            axes.plot(
                [paper for _, paper in theirs], [i for i, _ in theirs], "D", color=COLORS[1],
                markeredgecolor="white", label="the paper's",
            )  # fmt: skip
            axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1, 1))
        axes.set_yticks(range(len(bars)), labels, fontsize=8)
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(left=min(axes.get_xlim()[0], min(values) / 2))  # the least has a bar too
        axes.set_title(graph, fontsize=10, loc="left")
        axes.set_xlabel(f"times faster than {base}" if base else "milliseconds")
        tidy(axes, "x")
    return True


def _lines(figure: "Figure", found: Summary) -> bool:
    """Times over what the suite varies: graphs (one panel), or a knob (a panel a graph)."""
    suite = found.suite
    positions = {case.name: case.x for case in suite.cases}
    if any(x is not None for x in positions.values()):
        series: dict[str, list[tuple[float, float]]] = {}
        for graph in found.graphs:
            for label in found.labels:
                seconds, x = found.seconds(graph, label), positions.get(graph)
                if seconds is not None and x is not None:
                    series.setdefault(label, []).append((x, seconds * 1e3))
        panels = [("", series)] if series else []
    else:
        panels = [(graph, lines) for graph in found.graphs if (lines := _of_knob(found, graph))]
    if not panels:
        return False
    figure.set_size_inches(_WIDTH, 0.5 + 3.5 * len(panels))
    every = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, (graph, lines) in zip(every, panels, strict=True):
        for i, (label, points) in enumerate(lines.items()):
            xs, ys = zip(*sorted(points), strict=True)
            axes.plot(xs, ys, color=COLORS[i % len(COLORS)], marker=_MARKERS[i % len(_MARKERS)],
                      markersize=5, label=label)  # fmt: skip
        axes.set(xscale="log", yscale="log", xlabel=suite.x_label, ylabel="milliseconds")
        axes.set_title(graph, fontsize=10, loc="left")
        ticks = sorted({x for points in lines.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{x:,.0f}" for x in ticks])
        axes.minorticks_off()
        axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
        tidy(axes, "y")
    return True


def _of_knob(found: Summary, graph: str) -> dict[str, list[tuple[float, float]]]:
    """Lines of configurations with an ``x``; those without are level lines across."""
    ways = {one.label: one for one in found.suite.configurations}
    xs = [one.x for one in ways.values() if one.x is not None]
    lines: dict[str, list[tuple[float, float]]] = {}
    for label in found.labels:
        seconds, way = found.seconds(graph, label), ways.get(label)
        if seconds is None or way is None:
            continue
        places = [way.x] if way.x is not None else [min(xs), max(xs)]
        lines.setdefault(way.series or label, []).extend((x, seconds * 1e3) for x in places)
    return lines


def _degrees(figure: "Figure", found: Summary) -> bool:
    """How many vertices have each degree, both axes logarithmic."""
    panels = []
    for graph in found.graphs:
        dots = []
        for label in found.labels:
            histogram = found.count(graph, label, "histogram")
            if histogram:
                dots.append((label, [(d, n) for d, n in histogram if d > 0]))
        if dots:
            panels.append((graph, dots))
    if not panels:
        return False
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure.set_size_inches(_WIDTH, 0.5 + 2.8 * rows)
    every = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in every[len(panels) :]:
        axes.set_visible(False)
    for axes, (graph, dots) in zip(every, panels, strict=False):
        for i, (label, points) in enumerate(dots):
            axes.plot(
                [d for d, _ in points], [n for _, n in points], _MARKERS[i % len(_MARKERS)],
                color=COLORS[i % len(COLORS)], markersize=3, alpha=0.8, linestyle="none",
                label=label,
            )  # fmt: skip
        axes.set(xscale="log", yscale="log", xlabel="degree", ylabel="vertices")
        axes.set_title(graph, fontsize=10, loc="left")
        if len(dots) > 1:
            axes.legend(frameon=False, fontsize=8)
        tidy(axes, "both")
    return True


def tidy(axes: "Axes", grid: Any) -> None:
    """Light lines behind, no frame."""
    axes.grid(which="major", axis=grid, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


_DRAW: dict[str, Callable[["Figure", Summary], bool]] = {
    "bars": _bars,
    "lines": _lines,
    "degrees": _degrees,
}
