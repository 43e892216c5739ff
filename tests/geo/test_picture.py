"""Pictures of lines on a network: what is drawn, where, and written."""

import sys

import numpy as np
import pytest

import streets
import warpath as wp

pytest.importorskip("matplotlib")


def drawn(axes):
    """Of each collection of lines from the bottom up: its label, number of lines, and colour."""
    collections = sorted(axes.collections, key=lambda one: one.get_zorder())
    return [(one.get_label(), len(one.get_segments())) for one in collections]


@pytest.fixture(scope="module")
def graph():
    return wp.Graph.from_osmnx(*streets.frames())


def test_an_isochrone(graph, tmp_path):
    reached = wp.isochrone(graph, streets.FIRST, [50, 150])
    figure = reached.plot(tmp_path / "a.png", unit="m")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    (axes,) = figure.axes
    network, outer, inner = drawn(axes)
    assert network[1] < graph.num_edges  # what is far away is not drawn
    assert outer == ("≤ 150 m", np.count_nonzero(reached.parts.band == 1))
    assert inner == ("≤ 50 m", 2)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["≤ 50 m", "≤ 150 m"]
    (dot,) = axes.lines
    assert dot.get_xydata().tolist() == [graph.coordinates[0].tolist()]
    assert axes.get_aspect() == pytest.approx(1 / np.cos(np.radians(48.4)), rel=1e-4)
    (west, east), (south, north) = axes.get_xlim(), axes.get_ylim()
    for one in axes.collections[1:]:
        for points in one.get_segments():
            assert ((points > [west, south]) & (points < [east, north])).all()


def test_a_route_in_the_axes_of_another_figure(graph, tmp_path):
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    route = wp.shortest_path(graph, streets.FIRST, streets.FIRST + 7)
    assert route.plot(tmp_path / "a.svg", axes=right) is figure
    assert "<svg" in (tmp_path / "a.svg").read_text()
    assert not left.collections
    points = right.collections[1].get_segments()[0]
    assert points[0].tolist() == graph.coordinates[0].tolist()
    assert points[-1].tolist() == graph.coordinates[7].tolist()
    assert right.get_legend() is None


@pytest.mark.parametrize("directed", [True, False])
def test_each_edge_is_drawn_once(directed):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 2], directed=directed)
    graph = graph.with_coordinates([0, 1, 2], [0, 0, 0])
    (axes,) = wp.shortest_path(graph, 0, 2).plot().axes
    assert drawn(axes)[0][1] == 3
    assert axes.get_aspect() == 1


def test_a_single_vertex():
    graph = wp.Graph.from_edges([], [], n=1).with_coordinates([3], [4])
    for figure in (wp.shortest_path(graph, 0, 0).plot(), wp.isochrone(graph, 0, 9).plot()):
        (low, high), _ = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
        assert low < 3 < high


def test_what_cannot_be_drawn(graph, tmp_path, monkeypatch):
    reached = wp.isochrone(graph, streets.FIRST, 50)
    with pytest.raises(ValueError, match="xyz"):
        reached.plot(tmp_path / "a.xyz")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'warpath\[plot\]'"):
        reached.plot()
