"""What graphs and results show of themselves: one short line, and a small table."""

from html.parser import HTMLParser

import pytest

import warpath as wp


class Table(HTMLParser):
    """The cells of a table, and whether each tag that was opened is closed in turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.cells = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells.append(data)


GRAPH = wp.Graph.from_edges(["a<b", "b"], ["b", "c"], [1.5, 2.5])
SHOWN = {
    "graph": (lambda: GRAPH, "<Graph: 3 vertices, 2 edges, directed, float64 weights>"),
    "one vertex": (
        lambda: wp.Graph.from_edges([], [], n=1),
        "<Graph: 1 vertex, 0 edges, directed, no weights>",
    ),
    "paths": (
        lambda: wp.sssp(GRAPH, "a<b", method="dijkstra"),
        "<Paths: shortest paths from a<b to 3 vertices, float64, by dijkstra>",
    ),
    "levels": (
        lambda: wp.bfs(GRAPH, ["b", "c"], schedule="direction=top-down"),
        "<Paths: fewest arcs from 2 sources to 3 vertices, int32, by bfs top-down>",
    ),
    "nearest": (
        lambda: wp.bfs(GRAPH, ["b", "c"], nearest=True, schedule="direction=top-down"),
        "<Paths: fewest arcs from the nearest of 2 sources to 3 vertices, int32, by bfs top-down>",
    ),
    "all pairs": (
        lambda: wp.apsp(GRAPH, method="floyd-warshall"),
        "<AllPairs: shortest paths between 3 vertices, float64, by floyd-warshall>",
    ),
    "matrix": (
        lambda: wp.distance_matrix(GRAPH, ["b"], ["c"]),
        "<DistanceMatrix: shortest paths from 1 source to 1 target, float64, by sssp>",
    ),
    "path": (
        lambda: wp.shortest_path(GRAPH, "a<b", "c"),
        "<ShortestPath: a<b → c, length 4, 2 arcs>",
    ),
    "few paths": (
        lambda: wp.k_shortest_paths(GRAPH, "a<b", "c", 3),
        "<KShortestPaths: 1 path a<b → c, length 4 to 4>",
    ),
    "connection": (lambda: wp.st_connected(GRAPH, "b", "c"), "<Connection: b → c, 1 arc>"),
    "statistics": (
        lambda: wp.statistics(GRAPH),
        "<Statistics: 3 vertices, 2 edges, directed, 1 component>",
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_one_line_says_what_it_is(name):
    make, line = SHOWN[name]
    assert repr(make()) == line


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_shows_a_small_table(name):
    shown = SHOWN[name][0]()
    table = Table(shown._repr_html_())
    assert table.cells[0] == type(shown).__name__
    assert 3 <= len(table.cells) < 45


def test_how_a_run_went_is_one_line_and_counts_are_grammatical():
    stats = wp.sssp(GRAPH, "c", method="dijkstra").stats
    assert repr(stats).startswith("<Stats: dijkstra, ")
    assert ", 1 thread, 1 iteration, 0 arcs inspected>" in repr(stats)
    assert "1 thread, 1 iteration, 0 arcs inspected" in str(stats).splitlines()[0]
    assert Table(stats._repr_html_()).cells[1:3] == ["method", "dijkstra"]


def test_each_column_of_the_iterations_has_a_name():
    head, first = str(wp.bfs(GRAPH, "b", schedule="direction=top-down").stats).splitlines()[1:3]
    assert head.split() == ["iteration", "vertices", "arcs", "by"]
    assert first.split() == ["0", "1", "1", "top-down"]
