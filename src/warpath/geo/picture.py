"""Lines on a network, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath import figures
from warpath.graph.geometry import Geometry, Lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from warpath.graph.graph import Graph

Array = NDArray[Any]

ROUTE = "#0072B2"  # blue, as the vermilion of Okabe and Ito
_NETWORK, _POINT = "0.82", "#D55E00"
_INCHES = 7.0  # of the longer side
_MARGIN = 0.08  # of the longer side, around what is shown
_RASTERIZED = 20_000  # lines of the network, from which it is drawn as points in a PDF; a guess


@dataclass(frozen=True)
class Layer:
    """Lines of one colour.

    Attributes
    ----------
    lines : Lines
    color : str or tuple
    label : str
        In the legend; "": not there.
    """

    lines: Lines
    color: Any
    label: str = ""


def draw(
    graph: "Graph",
    layers: Sequence[Layer],
    points: Array,
    file: str | Path | None,
    axes: "Axes | None",
) -> "Figure":
    """The network around some lines in grey, and these on top of it.

    Parameters
    ----------
    graph : Graph
        With coordinates.
    layers : sequence of Layer
        The last on top.
    points : integer array
        Numbers of vertices to be marked.
    file, axes
        See `Isochrone.plot`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = figures.new_figure() if axes is None else axes.get_figure(root=True)
    assert figure is not None
    from matplotlib.collections import LineCollection

    geometry = graph.geometry
    assert geometry is not None
    marked = geometry.coordinates[points]
    low, high = _window(np.concatenate([marked, *(layer.lines.points for layer in layers)]))
    if axes is None:
        axes = figure.add_subplot()
        width, height = (high - low) * [1 / _aspect(geometry, low, high), 1]
        figure.set_size_inches(*(_INCHES * max(side, 0.3) for side in
                                 np.array([width, height]) / max(width, height)))  # fmt: skip
    network = _network(graph, geometry, low, high)
    axes.add_collection(
        LineCollection(
            network, colors=_NETWORK, linewidths=0.6, zorder=1,
            rasterized=len(network) > _RASTERIZED,
        )
    )  # fmt: skip
    for place, layer in enumerate(layers):
        axes.add_collection(
            LineCollection(
                _segments(layer.lines), colors=[layer.color], linewidths=2, zorder=2 + place,
                capstyle="round", label=layer.label,
            )
        )  # fmt: skip
    axes.plot(*marked.T, "o", color=_POINT, markersize=6, markeredgecolor="white",
              zorder=2 + len(layers))  # fmt: skip
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes.set_aspect(_aspect(geometry, low, high))
    axes.set_axis_off()
    if any(layer.label for layer in layers):
        axes.legend(frameon=False, fontsize=8, loc="best", reverse=True)
    if file is not None:
        figures.write(figure, file)
    return figure


def _window(points: Array) -> tuple[Array, Array]:
    """Two corners, with a margin; not without extent."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = _MARGIN * (high - low).max() or 1e-3 * max(np.abs(high).max(), 1)
    return low - margin, high + margin


def _aspect(geometry: Geometry, low: Array, high: Array) -> float:
    """How much longer a unit of y is drawn than one of x."""
    if not geometry.is_on_sphere:
        return 1.0
    return float(1 / max(np.cos(np.radians((low[1] + high[1]) / 2)), 0.01))


def _network(graph: "Graph", geometry: Geometry, low: Array, high: Array) -> list[Array]:
    """The lines of all edges with an end in the window, of two directions one."""
    source, target, _ = graph.coo()
    within = (geometry.coordinates >= low) & (geometry.coordinates <= high)
    inside = within[:, 0] & within[:, 1]
    shown = inside[source] | inside[target]
    if not graph.directed:
        shown &= source <= target
    ids = None if graph.edge_ids is None else graph.edge_ids[shown]
    return _segments(geometry.polylines(source[shown], target[shown], ids))


def _segments(lines: Lines) -> list[Array]:
    return np.split(lines.points, lines.offsets[1:-1]) if len(lines.offsets) > 1 else []


def shades(count: int) -> list[Any]:
    """Colours of ascending limits: dark to pale, told apart in grey as well."""
    from matplotlib import colormaps

    return [colormaps["viridis"](x) for x in np.linspace(0.05, 0.85, count)]
