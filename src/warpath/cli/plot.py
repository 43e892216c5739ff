"""The degree distribution as a picture."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from warpath import Graph

_INK, _PALE = "#1f4e79", "#d1495b"  # a dark blue and a red that differ in grey too


def plot_degrees(graph: "Graph", title: str, file: str) -> None:
    """Draw how many vertices have each degree, both axes logarithmic.

    For a directed graph, in-degrees as well. Vertices of degree 0, which such an axis
    has no place for, are counted in the legend.

    Raises
    ------
    click.UsageError
        If matplotlib is missing.
    ValueError
        If matplotlib does not know the file's suffix.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise click.UsageError("a plot needs matplotlib: pip install 'warpath[plot]'") from None
    import numpy as np

    from warpath.figures import write

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log")
    series = [("degree" if not graph.directed else "out-degree", graph.degree, "o", _INK)]
    if graph.directed:
        series.append(("in-degree", graph.in_degree, "x", _PALE))
    for name, degree, marker, color in series:
        counts = np.bincount(degree) if len(degree) else np.zeros(1, np.int64)
        values = counts.nonzero()[0]
        values = values[values > 0]
        label = f"{name} ({counts[0]:,} vertices have none)" if counts[0] else name
        axes.plot(values, counts[values], marker, color=color, markersize=3.5, alpha=0.7,
                  markeredgewidth=0.8, linestyle="none", label=label)  # fmt: skip
    axes.set(xlabel="degree", ylabel="vertices", title=title)
    axes.grid(which="major", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    write(figure, file)
