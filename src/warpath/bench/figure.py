"""A suite's trials as a picture: dots of speed-ups, lines over a size or a knob, degrees."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpath.bench import result_table
from warpath.bench.axes import (
    COLORS,
    FONT,
    MARKERS,
    MAX_TICKS,
    TITLE,
    WIDTH,
    legend,
    mark,
    name_axes,
    panels,
    save_figure,
    tidy,
)
from warpath.bench.result_table import digits
from warpath.bench.summary import Summary, quartiles
from warpath.figures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PAPER: dict[str, Any] = {"marker": "D", "color": COLORS[1], "linestyle": "none", "markersize": 4}
_DEVICES = {"cuda": ("GPU", "o", COLORS[0]), "cpu": ("CPU", "s", COLORS[2])}
_ROW = 0.22  # inches of a dot with its label
_LABEL = 32  # characters, then a new line


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
    save_figure(figure, found.heading, file)
    return True


@dataclass(frozen=True)
class Dot:
    """A configuration on a graph, by one measure.

    Attributes
    ----------
    value, low, high : float
        The median and the quartiles.
    text : str
        The value, as it stands next to the dot.
    paper : float or None
        What the paper has.
    device : str
    is_bound : bool
        Whether the value is a bound, as the baseline was ended at the limit.
    """

    value: float
    low: float
    high: float
    text: str
    paper: float | None
    device: str
    is_bound: bool = False


@dataclass(frozen=True)
class Measure:
    """What a column of panels shows: its axis, and the dot of a graph and a configuration."""

    axis: str
    dot: Callable[[str, str], Dot | None]
    has_one: bool = False


def _measures(found: Summary) -> list[Measure]:
    """Speed-ups over the baseline, else milliseconds; or the suite's counts."""
    suite, base = found.suite, found.suite.baseline
    if suite.columns:
        return [
            Measure(name, partial(_count, found, name)) for name in suite.drawn or suite.columns
        ]
    if any(found.ratio(graph, base, label) for graph in found.graphs for label in found.labels):
        return [Measure(f"times faster than {base}", partial(_ratio, found), has_one=True)]
    return [Measure("milliseconds", partial(_milliseconds, found))]


def _ratio(found: Summary, graph: str, label: str) -> Dot | None:
    base = found.suite.baseline
    cell, slow = found.cell(graph, label), found.cell(graph, base)
    ratio = found.ratio(graph, base, label)
    if cell is None or slow is None or ratio is None or not cell.seconds or not cell.quartiles:
        return None
    low, high = (ratio * cell.seconds / one for one in reversed(cell.quartiles))
    paper = None if label == base else found.published_ratio(graph, base, label)
    text = result_table.times_faster(found, graph, label)
    return Dot(ratio, low, high, text, paper, cell.device, slow.limit is not None)


def _milliseconds(found: Summary, graph: str, label: str) -> Dot | None:
    cell = found.cell(graph, label)
    if cell is None or cell.seconds is None or not cell.quartiles:
        return None
    low, high = (1e3 * one for one in cell.quartiles)
    value = 1e3 * cell.seconds
    return Dot(value, low, high, digits(value), None, cell.device)


def _count(found: Summary, name: str, graph: str, label: str) -> Dot | None:
    cell = found.cell(graph, label)
    value = None if cell is None else cell.count(name)
    if cell is None or not isinstance(value, (int, float)) or value <= 0:
        return None
    paper, text = found.suite.published.get((graph, name)), result_table.number(value)
    return Dot(value, *quartiles(cell.counts(name)), text, paper, cell.device)


def _dots(figure: "Figure", found: Summary) -> bool:
    """A row of panels a graph, a column a measure; a dot with its quartiles a configuration."""
    measures = [
        one
        for one in _measures(found)
        if any(one.dot(graph, label) for graph in found.graphs for label in found.labels)
    ]
    panels: dict[str, dict[str, list[Dot | None]]] = {}
    for graph in found.graphs:
        rows = {label: [one.dot(graph, label) for one in measures] for label in found.labels}
        rows = {label: dots for label, dots in rows.items() if any(dots)}
        if rows:
            panels[graph] = rows
    if not panels:
        return False
    heights = [0.35 + _ROW * len(rows) for rows in panels.values()]
    figure.set_size_inches(WIDTH, 1.2 + sum(heights))
    every = figure.subplots(
        len(panels), len(measures), squeeze=False, height_ratios=heights, sharex="col"
    )
    for row, (graph, rows) in zip(every, panels.items(), strict=True):
        for i, axes in enumerate(row):
            _panel(axes, [dots[i] for dots in rows.values()])
            names = [textwrap.fill(label, _LABEL) for label in rows] if i == 0 else [""] * len(rows)
            axes.set_yticks(range(len(rows)), names)
        row[0].set_title(found.name(graph), fontsize=TITLE, loc="left")
    unknown = [graph for graph in found.graphs if graph not in panels and found.ranked(graph)]
    note = ""
    if unknown:
        missing = f"not shown, as {found.suite.baseline} has no time there: {', '.join(unknown)}"
        note = "\n" + textwrap.fill(missing, 110)
    for i, measure in enumerate(measures):
        column = every[:, i]
        shown = [dots[i] for rows in panels.values() for dots in rows.values()]
        ends = [end for dot in shown if dot for end in (dot.low, dot.high, dot.paper or dot.value)]
        if measure.has_one:
            ends.append(1.0)
            for axes in column:
                axes.axvline(1, color="0.4", linewidth=0.8, zorder=1)
        for axes in column:
            axes.set_xscale("log")
        mark(column[-1].xaxis, ends, MAX_TICKS // len(measures))
        column[-1].set_xlabel(measure.axis + note, fontsize=FONT)
    _explain(
        figure, [dot for rows in panels.values() for dots in rows.values() for dot in dots if dot]
    )
    return True


def _panel(axes: "Axes", dots: Sequence[Dot | None]) -> None:
    for i, dot in enumerate(dots):
        if dot is None:
            continue
        _, marker, color = _DEVICES.get(dot.device, _DEVICES["cuda"])
        axes.plot([dot.low, dot.high], [i, i], color=color, linewidth=1.2, solid_capstyle="butt")
        axes.plot(dot.value, i, marker, color=color, markersize=5,
                  fillstyle="none" if dot.is_bound else "full")  # fmt: skip
        if dot.paper:
            axes.plot(dot.paper, i, markeredgecolor="white", **_PAPER)
        # Next to the panel: nothing can lie over it.
        axes.text(
            1.01, i, dot.text, transform=axes.get_yaxis_transform(), va="center", fontsize=FONT
        )
    axes.set_ylim(len(dots) - 0.5, -0.5)
    axes.grid(axis="y", color="0.8", linewidth=0.6, linestyle=":")
    tidy(axes, "x")


def _explain(figure: "Figure", dots: Sequence[Dot]) -> None:
    """A legend of what the dots are."""
    from matplotlib.lines import Line2D

    there = [one for device, one in _DEVICES.items() if any(dot.device == device for dot in dots)]
    handles = [
        Line2D([], [], color=color, marker=marker, markersize=5, linewidth=1.2,
               label=f"{name}: median and quartiles")
        for name, marker, color in there
    ]  # fmt: skip
    if any(dot.is_bound for dot in dots):
        handles.append(Line2D([], [], color="0.3", marker="o", fillstyle="none", linestyle="none",
                              label="at least: the baseline was ended at the limit"))  # fmt: skip
    if any(dot.paper for dot in dots):
        handles.append(Line2D([], [], label="the paper's", **_PAPER))
    if handles:
        legend(figure, handles)


Lines = dict[str, list[tuple[float, Dot]]]
"""Of each line its dots, and where they stand."""


def _lines(figure: "Figure", found: Summary) -> bool:
    """Times over what the suite varies: graphs (one panel), or a knob (a panel a graph)."""
    suite = found.suite
    positions = {case.name: case.x for case in suite.cases}
    if any(x is not None for x in positions.values()):
        series: Lines = {}
        for graph in found.graphs:
            for label in found.labels:
                dot, x = _milliseconds(found, graph, label), positions.get(graph)
                if dot is not None and x is not None:
                    series.setdefault(label, []).append((x, dot))
        shown = {"": series} if series else {}
    else:
        shown = {graph: lines for graph in found.graphs if (lines := _of_knob(found, graph))}
    if not shown:
        return False
    every = panels(figure, [found.name(graph) if graph else "" for graph in shown], 2, 2.5)
    order = list(dict.fromkeys(label for lines in shown.values() for label in lines))
    handles: dict[str, Any] = {}
    for axes, lines in zip(every, shown.values(), strict=True):
        for label, dots in lines.items():
            at = order.index(label)
            xs, ordered = zip(*sorted(dots, key=lambda one: one[0]), strict=True)
            ys = [dot.value for dot in ordered]
            spread = [[dot.value - dot.low, dot.high - dot.value] for dot in ordered]
            handles[label] = axes.errorbar(
                xs, ys, [*zip(*spread, strict=True)], color=COLORS[at % len(COLORS)],
                marker=MARKERS[at % len(MARKERS)], markersize=5, linewidth=1.2, elinewidth=1.2, label=label,
            )  # fmt: skip
        tidy(axes, "y")
    drawn = [one for lines in shown.values() for dots in lines.values() for one in dots]
    mark(every[0].yaxis, [end for _, dot in drawn for end in (dot.low, dot.high)])
    known = sorted({x for x, _ in drawn})
    every[0].set_xlim(known[0] / 1.2, known[-1] * 1.2)
    every[0].set_xticks(known, [f"{x:,.0f}" for x in known])
    every[0].set_xticks([], minor=True)
    name_axes(figure, suite.x_label, "ms: median and quartiles")
    legend(figure, [*handles.values()])
    return True


def _of_knob(found: Summary, graph: str) -> Lines:
    """Lines of configurations with an ``x``; those without are level lines across."""
    ways = {one.label: one for one in found.suite.configurations}
    # What has no place of its own lies across those that were measured.
    xs = [w.x for w in ways.values() if w.x is not None and found.seconds(graph, w.label)] or [
        w.x for w in ways.values() if w.x is not None
    ]
    lines: Lines = {}
    for label in found.labels:
        dot, way = _milliseconds(found, graph, label), ways.get(label)
        if dot is None or way is None:
            continue
        places = [way.x] if way.x is not None else sorted({min(xs), max(xs)})
        lines.setdefault(way.series or label, []).extend((x, dot) for x in places)
    return lines


def _degrees(figure: "Figure", found: Summary) -> bool:
    """How many vertices have each degree, on axes that all graphs share."""
    shown = {}
    for graph in found.graphs:
        dots = {}
        for label in found.labels:
            histogram = found.count(graph, label, "histogram")
            if histogram:
                dots[label] = [(d, n) for d, n in histogram if d > 0]
        if dots:
            shown[graph] = dots
    if not shown:
        return False
    columns = min(4, len(shown))
    titles = [textwrap.fill(found.name(graph), 104 // columns) for graph in shown]
    every = panels(figure, titles, columns, 2.1 if columns > 2 else 3.2)
    handles: dict[str, Any] = {}
    for axes, dots in zip(every, shown.values(), strict=True):
        for i, (label, points) in enumerate(dots.items()):
            (handles[label],) = axes.plot(
                [d for d, _ in points], [n for _, n in points], MARKERS[i % len(MARKERS)],
                color=COLORS[i % len(COLORS)], markersize=3, alpha=0.8, linestyle="none",
                rasterized=True, label=label,
            )  # fmt: skip
        tidy(axes, "both")
    points = [point for dots in shown.values() for some in dots.values() for point in some]
    mark(every[0].xaxis, [d for d, _ in points])
    mark(every[0].yaxis, [n for _, n in points])
    name_axes(figure, "degree", "vertices")
    if len(handles) > 1:
        legend(figure, [*handles.values()])
    return True


_DRAW: dict[str, Callable[["Figure", Summary], bool]] = {
    "dots": _dots,
    "lines": _lines,
    "degrees": _degrees,
}
