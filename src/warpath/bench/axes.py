"""How the laboratory's pictures look: colours, the numbers of an axis, panels, legends."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpath.figures import write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis
    from matplotlib.figure import Figure

# Okabe and Ito: told apart also by those who see fewer colours; the yellow is too pale for lines.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = "osD^vP*"
WIDTH = 9.0  # inches
FONT, TITLE = 8, 9  # points
MAX_TICKS = 9  # of an axis as wide as the figure


def save_figure(figure: "Figure", title: str, file: str | Path) -> None:
    """Write it under its title, which is as large as text; PDF has TrueType, as publishers want it."""
    import matplotlib

    with matplotlib.rc_context({"figure.titlesize": TITLE + 1, "pdf.fonttype": 42}):
        figure.suptitle(title)
        write(figure, file)


def panels(figure: "Figure", titles: Sequence[str], columns: int, height: float) -> list["Axes"]:
    """Panels with shared logarithmic axes, ``columns`` in a row, each ``height`` inches high."""
    columns = min(columns, len(titles))
    rows = -(-len(titles) // columns)
    figure.set_size_inches(WIDTH, 0.7 + height * rows)
    every = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for i, axes in enumerate(every):
        axes.set_visible(i < len(titles))
        if i < len(titles) <= i + columns:  # those below are not used
            axes.tick_params(labelbottom=True)
    for axes, title in zip(every, titles, strict=False):
        axes.set(xscale="log", yscale="log")
        axes.set_title(title, fontsize=TITLE, loc="left")
    return [*every[: len(titles)]]


def name_axes(figure: "Figure", x: str, y: str) -> None:
    """Name shared axes, at the left and at the bottom."""
    for axes in figure.axes:
        place = axes.get_subplotspec()
        if place is not None and place.is_last_row():
            axes.set_xlabel(x, fontsize=FONT)
        if place is not None and place.is_first_col():
            axes.set_ylabel(y, fontsize=FONT)


def legend(figure: "Figure", handles: Sequence[Any]) -> None:
    """Below everything, in rows that are as wide as the figure."""
    longest = max(len(str(handle.get_label())) for handle in handles)
    columns = max(1, min(len(handles), 150 // (longest + 10)))
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False,
                  fontsize=FONT)  # fmt: skip


def ticks(low: float, high: float, most: int = MAX_TICKS) -> list[float]:
    """Numbers of a logarithmic axis: 0.5 1 2 5 10, or powers of ten where these were too many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    marks: list[float] = []
    for steps, every in (((1, 2, 5), 1), *(((1,), every) for every in range(1, last - first + 1))):
        powers = range(-(-first // every) * every, last + 1, every)  # 1 is one where it is in reach
        fewer = [
            mark
            for power in powers
            for step in steps
            if low <= (mark := step * 10.0**power) <= high
        ]
        if len(fewer) < 2 and marks:
            break
        marks = fewer
        if len(marks) <= most:
            break
    return marks


def _shown(mark: float) -> str:
    """``0.5``, ``1,000``, ``10⁷``."""
    if 1e-3 <= mark < 1e6:
        return f"{mark:,.10g}"
    power = math.floor(math.log10(mark))
    step = round(mark / 10.0**power)
    return f"$10^{{{power}}}$" if step == 1 else f"${step}\\times10^{{{power}}}$"


def mark(axis: "XAxis | YAxis", values: Iterable[float], most: int = MAX_TICKS) -> None:
    """Ends and numbers of a logarithmic axis of these values, at least a factor of 4 wide."""
    known = [value for value in values if value > 0]
    low, high = min(known) / 1.2, max(known) * 1.2
    wider = math.sqrt(max(1.0, 4 * low / high))
    low, high = low / wider, high * wider
    marks = ticks(low, high, most)
    axis.axes.set(**{f"{axis.axis_name}lim": (low, high)})
    axis.set_ticks(marks, [_shown(mark) for mark in marks])
    axis.set_ticks([], minor=True)


def tidy(axes: "Axes", grid: Any) -> None:
    """Light lines behind, no frame, small numbers."""
    axes.grid(which="major", axis=grid, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=FONT)


def legend_beside(axes: "Axes", *, top: bool = False) -> None:
    """A legend to the right of the axes, at the top or in the middle."""
    axes.legend(
        frameon=False,
        fontsize=FONT,
        loc="upper left" if top else "center left",
        bbox_to_anchor=(1, 1 if top else 0.5),
    )
